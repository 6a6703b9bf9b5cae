import { createHandler, defineSaga } from 'sagabox';
import { billing, orders } from './contracts.ts';

export const orderSaga = defineSaga({
  name: 'Order',
  messages: { ...orders.messages, ...billing.replies },
  sends: [billing],
  correlate: { OrderPlaced: (body) => body.orderId, CardCharged: (body) => body.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ status: 'placed' }),
  handlers: {
    OrderPlaced({ body }, { send }) {
      send('billing', 'ChargeCard', body);
    },
    CardCharged(_message, { saga }) {
      saga.state.status = 'charged';
    },
  },
});

export const handler = createHandler(orderSaga);
