import { createHandler, defineSaga } from 'sagabox';
import { object, string } from 'valibot';
import { billing, orderEvents, orders, shipping } from './contracts.ts';
import { sampleOptions } from './sample-options.ts';

interface OrderState {
  total: number;
  paid: boolean;
  /** Tells a message that was applied twice. */
  handledMessages: number;
}

export const orderSaga = defineSaga({
  name: 'OrderSaga',
  messages: {
    ...orders.messages,
    ...billing.replies,
    ...shipping.replies,
    PaymentTimedOut: object({ orderId: string() }),
  },
  sends: [billing, shipping],
  publishes: [orderEvents],
  correlate: {
    OrderPlaced: (body) => body.orderId,
    CardCharged: (body) => body.orderId,
    OrderShipped: (body) => body.orderId,
    PaymentTimedOut: (body) => body.orderId,
  },
  startedBy: ['OrderPlaced'],
  initialState: (): OrderState => ({ total: 0, paid: false, handledMessages: 0 }),
  handlers: {
    async OrderPlaced({ body: { orderId, total } }, { saga, send, requestTimeout }) {
      saga.state.handledMessages += 1;
      saga.state.total = total;
      send('billing', 'ChargeCard', { orderId, total });
      requestTimeout('PaymentTimedOut', { orderId }, { after: { minutes: 15 } });
    },

    async CardCharged({ body: { orderId } }, { saga, send }) {
      saga.state.handledMessages += 1;
      saga.state.paid = true;
      send('shipping', 'ShipOrder', { orderId });
    },

    async OrderShipped({ body: { orderId } }, { saga, publish }) {
      saga.state.handledMessages += 1;
      publish('OrderFulfilled', { orderId, handledMessages: saga.state.handledMessages });
      saga.complete();
    },

    async PaymentTimedOut({ body: { orderId } }, { saga, publish }) {
      saga.state.handledMessages += 1;
      if (!saga.state.paid) publish('PaymentReminder', { orderId });
    },
  },
});

export const handler = createHandler(orderSaga, sampleOptions);
