import { defineContract } from 'sagabox';
import { number, object, string } from 'valibot';

const order = object({ orderId: string() });
const orderWithTotal = object({ orderId: string(), total: number() });

export const orders = defineContract('orders', { OrderPlaced: orderWithTotal });

export const billing = defineContract(
  'billing',
  { ChargeCard: orderWithTotal },
  { replies: { CardCharged: order } },
);

export const shipping = defineContract(
  'shipping',
  { ShipOrder: order },
  { replies: { OrderShipped: order } },
);

/** What the saga of the orders publishes. */
export const orderEvents = defineContract('order-events', {
  OrderFulfilled: object({ orderId: string(), handledMessages: number() }),
  PaymentReminder: order,
});
