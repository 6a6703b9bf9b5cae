import { defineSaga } from 'sagabox';
import * as z from 'zod';

const order = z.object({ orderId: z.string() });

export const orderSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: order, PaymentTimedOut: order },
  correlate: { OrderPlaced: (body) => body.orderId, PaymentTimedOut: (body) => body.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ reminders: 0 }),
  handlers: {
    OrderPlaced({ body }, { send, requestTimeout }) {
      send('billing', 'ChargeCard', body);
      requestTimeout('PaymentTimedOut', body, { after: { minutes: 10 } });
    },
    PaymentTimedOut(_message, { saga }) {
      saga.state.reminders += 1;
    },
  },
});
