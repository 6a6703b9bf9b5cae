import type { SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { sqsRecord } from '../engines/sqs-records.ts';

export const endpoint = 'shipments';
/** The queue that all outgoing messages go to. */
export const carrier = 'carrier';
export const shipParcel = 'ShipParcel';

export interface Parcel {
  readonly parcelId: string;
  readonly note: string;
}

/** What the saga of a shipment keeps. */
export interface ShipmentState {
  /** How many parcels were packed: each message shows in it once. */
  packed: number;
  manifest: string;
}

/** Opens a shipment, or packs one more parcel, which the carrier is told of. */
export type ShipmentMessage =
  | {
      readonly id: string;
      readonly type: 'ShipmentOpened';
      readonly body: { readonly shipmentId: string; readonly manifest: string };
    }
  | {
      readonly id: string;
      readonly type: 'ParcelPacked';
      readonly body: { readonly shipmentId: string; readonly parcel: Parcel };
    };

export interface ShipmentEvent {
  readonly Records: readonly SqsEventRecord[];
}

const noteBytes = 120;

export function opened(shipmentId: string, manifest: string): ShipmentMessage {
  return { id: crypto.randomUUID(), type: 'ShipmentOpened', body: { shipmentId, manifest } };
}

export function packed(shipmentId: string): ShipmentMessage {
  const parcel: Parcel = { parcelId: crypto.randomUUID(), note: textOf(noteBytes) };
  return { id: crypto.randomUUID(), type: 'ParcelPacked', body: { shipmentId, parcel } };
}

/** As Lambda gives messages to a function. */
export function eventOf(messages: readonly ShipmentMessage[]): ShipmentEvent {
  return { Records: messages.map((message) => sqsRecord(message, endpoint)) };
}

/** Words of just so many bytes. */
export function textOf(bytes: number): string {
  const words = 'keep upright fragile leave with the neighbour ';
  return words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
}
