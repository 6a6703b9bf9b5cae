import { defineSaga } from 'sagabox';
import { z } from 'zod';

/** A saga that sends a message to `billing` for each order. */
export const chargingSaga = defineSaga({
  name: 'Order',
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  correlate: { OrderPlaced: ({ orderId }) => orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ placed: 0 }),
  handlers: {
    OrderPlaced({ body }, { saga, send }) {
      saga.state.placed += 1;
      send('billing', 'ChargeCard', body);
    },
  },
});
