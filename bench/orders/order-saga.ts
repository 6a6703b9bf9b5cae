import { defineSaga, type EmbeddedOutbox, embeddedOutbox } from 'sagabox';
import * as z from 'zod';
import type { OrderState } from './order-data.ts';
import { sagaName, shipParcel, shipping } from './order-messages.ts';

const body = { orderId: z.string(), parcels: z.array(z.unknown()) };

function orderSagaWith(state: { readonly compress: boolean }, outbox?: EmbeddedOutbox) {
  return defineSaga({
    name: sagaName,
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
        saga.state.lastMessageId = message.id;
        for (const parcel of message.body.parcels) send(shipping, shipParcel, parcel);
      },
    },
    state,
    outbox,
  });
}

export const orderSaga = orderSagaWith({ compress: false });
export const compressedOrderSaga = orderSagaWith({ compress: true });
export const embeddedOrderSaga = orderSagaWith({ compress: true }, embeddedOutbox());
