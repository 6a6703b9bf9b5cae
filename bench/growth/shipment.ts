import { itemSize } from 'sagabox';
import type { Resources } from '../engines/resources.ts';
import { sagaItem } from '../engines/saga-items.ts';
import { startSagabox } from '../throughput/sagabox.ts';
import { eventOf, opened, packed, textOf } from '../throughput/shipment-messages.ts';
import { sagaName } from '../throughput/shipment-saga.ts';

/** A shipment whose saga is there already, and one more parcel for it each time. */
export interface Shipment {
  readonly itemBytes: number;
  packParcel(): Promise<void>;
}

/** The number of packed parcels grows by these. */
const spareBytes = 4;

/** @param bytes that the item of the saga has at most, and nearly */
export async function openShipment(resources: Resources, bytes: number): Promise<Shipment> {
  const { deliver } = startSagabox(resources);
  const open = async (manifestBytes: number) => {
    const shipmentId = crypto.randomUUID();
    await deliver(eventOf([opened(shipmentId, textOf(manifestBytes))]));
    return shipmentId;
  };
  const besideManifest = await sagaBytes(resources, await open(0));
  const shipmentId = await open(bytes - besideManifest - spareBytes);
  return {
    itemBytes: await sagaBytes(resources, shipmentId),
    packParcel: () => deliver(eventOf([packed(shipmentId)])),
  };
}

async function sagaBytes(resources: Resources, shipmentId: string): Promise<number> {
  const item = await sagaItem(resources, { name: sagaName, id: shipmentId });
  if (item === undefined) throw new Error(`There is no saga of shipment ${shipmentId}`);
  return itemSize(item);
}
