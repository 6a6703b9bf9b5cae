import { defineSaga } from 'sagabox';
import * as z from 'zod';

/** One saga that four of five messages meet. */
export const campaignSaga = defineSaga({
  name: 'Campaign',
  messages: { CouponUsed: z.object({ campaignId: z.string() }) },
  correlate: { CouponUsed: (body) => body.campaignId },
  startedBy: ['CouponUsed'],
  initialState: () => ({ used: 0 }),
  handlers: {
    CouponUsed(_message, { saga }) {
      saga.state.used += 1;
    },
  },
});

/** A saga for each order, which no other message meets. */
export const orderSaga = defineSaga({
  name: 'Order',
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  correlate: { OrderPlaced: (body) => body.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ placed: false }),
  handlers: {
    OrderPlaced({ body }, { saga, send }) {
      saga.state.placed = true;
      send('billing', 'ChargeCard', body);
    },
  },
});
