import { defineSaga } from 'sagabox';
import { z } from 'zod';

export interface OrderState {
  total: number;
  reminders: number;
  notes: unknown;
}

const order = z.object({ orderId: z.string() });
const byOrder = ({ orderId }: { readonly orderId: string }) => orderId;

/** A saga with something of everything, its schemas in zod. */
export const orderSaga = defineSaga({
  name: 'OrderSaga',
  messages: {
    OrderPlaced: z.object({
      orderId: z.string(),
      total: z.number(),
      currency: z.string().default('EUR'),
      notes: z.unknown().optional(),
    }),
    CardCharged: order,
    PaymentTimedOut: order,
    PlacedAndCancelled: order,
    StateSpoiled: order,
  },
  correlate: {
    OrderPlaced: byOrder,
    CardCharged: byOrder,
    PaymentTimedOut: byOrder,
    PlacedAndCancelled: byOrder,
    StateSpoiled: byOrder,
  },
  startedBy: ['OrderPlaced', 'PlacedAndCancelled'],
  initialState: (): OrderState => ({ total: 0, reminders: 0, notes: undefined }),
  handlers: {
    OrderPlaced({ body }, { saga, send, requestTimeout, transaction }) {
      saga.state.total += body.total;
      saga.state.notes = body.notes;
      send('billing', 'ChargeCard', { orderId: body.orderId, currency: body.currency });
      requestTimeout('PaymentTimedOut', { orderId: body.orderId }, { after: { minutes: 10 } });
      transaction.add({ Put: { TableName: 'orders', Item: { orderId: { S: body.orderId } } } });
    },
    CardCharged: (_message, { saga }) => saga.complete(),
    PaymentTimedOut({ body }, { saga, send, requestTimeout }) {
      saga.state.reminders += 1;
      if (saga.state.reminders === 3) throw new Error('nobody answers');
      send('mail', 'Remind', body, { delay: { seconds: 30 } });
      requestTimeout('PaymentTimedOut', body, { after: { minutes: 5 } });
    },
    PlacedAndCancelled: (_message, { saga }) => saga.complete(),
    StateSpoiled(_message, { saga, send }) {
      saga.state.notes = new Date(0);
      send('billing', 'ChargeCard', {});
    },
  },
});
