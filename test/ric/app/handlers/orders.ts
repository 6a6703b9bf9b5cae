import { createHandler, defineSaga } from 'sagabox';
import { object, string } from 'valibot';

const order = object({ orderId: string() });

export const orderSaga = defineSaga({
  name: 'RicOrder',
  messages: { OrderPlaced: order, CardCharged: order },
  correlate: { OrderPlaced: ({ orderId }) => orderId, CardCharged: ({ orderId }) => orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ placed: 0, charged: 0 }),
  handlers: {
    OrderPlaced({ body }, { saga, send }) {
      saga.state.placed += 1;
      send('billing', 'ChargeCard', body);
    },
    CardCharged(_message, { saga }) {
      saga.state.charged += 1;
    },
  },
});

export const handler = createHandler(orderSaga);
