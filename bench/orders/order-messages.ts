import { randomUUID } from 'node:crypto';
import type { SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { sqsRecord } from '../engines/sqs-records.ts';
import type { OrderState } from './order-data.ts';

/** The queue that all outgoing messages go to. */
export const shipping = 'shipping';
export const endpoint = 'orders';
export const sagaName = 'Order';
/** The type of all outgoing messages. */
export const shipParcel = 'ShipParcel';

interface OrderBody {
  readonly orderId: string;
  /** The bodies of the messages that the handler sends. */
  readonly parcels: readonly unknown[];
}

/** Starts the saga of an order, or changes it. */
export type OrderMessage =
  | {
      readonly id: string;
      readonly type: 'OrderPlaced';
      readonly body: OrderBody & { readonly order: OrderState };
    }
  | { readonly id: string; readonly type: 'OrderPacked'; readonly body: OrderBody };

export interface OrderEvent {
  readonly Records: readonly SqsEventRecord[];
}

export function placed(orderId: string, order: OrderState, id: string = randomUUID()): OrderMessage {
  return { id, type: 'OrderPlaced', body: { orderId, order, parcels: [] } };
}

export function packed(
  orderId: string,
  parcels: readonly unknown[],
  id: string = randomUUID(),
): OrderMessage {
  return { id, type: 'OrderPacked', body: { orderId, parcels } };
}

/** What Lambda passes to a function that receives these messages. */
export function eventOf(messages: readonly OrderMessage[]): OrderEvent {
  return { Records: messages.map((message) => sqsRecord(message, endpoint)) };
}
