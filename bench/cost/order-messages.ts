import type { OrderState } from './orders.ts';

/** The queue that all outgoing messages go to. */
export const shipping = 'shipping';
export const endpoint = 'orders';
/** The type of all outgoing messages. */
export const shipParcel = 'ShipParcel';

interface OrderBody {
  readonly orderId: string;
  /** The bodies of the messages that its handler is to send. */
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
