import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { shipParcel, shipping } from './order-messages.ts';
import type { OrderState } from './orders.ts';

const body = { orderId: z.string(), parcels: z.array(z.unknown()) };

export const orderSaga = defineSaga({
  name: 'Order',
  messages: {
    OrderPlaced: z.object({ ...body, order: z.custom<OrderState>() }),
    OrderPacked: z.object(body),
  },
  correlate: { OrderPlaced: (m) => m.orderId, OrderPacked: (m) => m.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({}) as OrderState,
  handlers: {
    OrderPlaced(message, { saga, send }) {
      Object.assign(saga.state, message.body.order);
      for (const parcel of message.body.parcels) send(shipping, shipParcel, parcel);
    },
    OrderPacked(message, { saga, send }) {
      saga.state.status = 'packed';
      for (const parcel of message.body.parcels) send(shipping, shipParcel, parcel);
    },
  },
});
