import { defineHandlers, defineSaga } from 'sagabox';
import { testApp } from 'sagabox/testing';
import { z } from 'zod';

const order = z.object({ orderId: z.string() });
const byOrder = (body: { readonly orderId: string }) => body.orderId;

/** Pays an order, and ships it when it is paid. */
export const orderSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: order, CardCharged: order, OrderShipped: order, PaymentTimedOut: order },
  correlate: {
    OrderPlaced: byOrder,
    CardCharged: byOrder,
    OrderShipped: byOrder,
    PaymentTimedOut: byOrder,
  },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ seen: [] as string[] }),
  handlers: {
    OrderPlaced({ body, type }, { saga, send, requestTimeout }) {
      saga.state.seen.push(type);
      send('billing', 'ChargeCard', body);
      requestTimeout('PaymentTimedOut', body, { after: { minutes: 10 } });
    },
    CardCharged({ body, type }, { saga, publish, cancelTimeout }) {
      saga.state.seen.push(type);
      cancelTimeout('PaymentTimedOut');
      publish('OrderPaid', body);
      publish('OrderArchived', body);
    },
    OrderShipped: (_message, { saga }) => saga.complete(),
    PaymentTimedOut({ type }, { saga }) {
      saga.state.seen.push(type);
    },
  },
});

export const billing = defineHandlers({
  messages: { ChargeCard: order },
  handlers: {
    ChargeCard({ body }, { reply, send, transaction }) {
      transaction.add({ Put: { TableName: 'charges', Item: { orderId: { S: body.orderId } } } });
      send('crm', 'CardUsed', body);
      reply('CardCharged', body);
    },
  },
});

export const shipping = defineHandlers({
  messages: { OrderPaid: order },
  handlers: { OrderPaid: ({ body }, { send }) => send('orders', 'OrderShipped', body) },
});

export type ShopOptions = Parameters<typeof testApp>[1];

export function shopApp(options: ShopOptions = {}) {
  return testApp(
    [
      { endpoint: 'orders', handles: orderSaga, publishTo: 'order-events' },
      { endpoint: 'billing', handles: billing },
      { endpoint: 'shipping', handles: shipping, subscribesTo: { 'order-events': ['OrderPaid'] } },
    ],
    { destinations: ['crm'], ...options },
  );
}
