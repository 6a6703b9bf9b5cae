import { createHandler, defineSaga } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './ledger.ts';

const order = object({ orderId: string() });

const orders = defineSaga({
  name: 'JourneySaga',
  messages: { OrderPlaced: order, CardCharged: order, ReviewDue: order },
  correlate: {
    OrderPlaced: ({ orderId }) => orderId,
    CardCharged: ({ orderId }) => orderId,
    ReviewDue: ({ orderId }) => orderId,
  },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ charged: 0 }),
  handlers: {
    OrderPlaced({ body }, { send, requestTimeout, transaction }) {
      transaction.add(countStep(body.orderId, 'placed'));
      send('billing', 'ChargeCard', body);
      requestTimeout('ReviewDue', body, { after: { hours: 2 } });
    },
    CardCharged({ body }, { saga, publish, transaction }) {
      transaction.add(countStep(body.orderId, 'charged'));
      saga.state.charged += 1;
      publish('OrderConfirmed', body);
    },
    ReviewDue({ body }, { saga, send, transaction }) {
      transaction.add(countStep(body.orderId, 'reviewed'));
      send('archive', 'ArchiveOrder', {
        ...body,
        charged: saga.state.charged,
        document: 'é'.repeat(700_000),
      });
      saga.complete();
    },
  },
});

// A plain producer publishes the orders, and says nothing of their type.
export const handler = createHandler(orders, { defaultMessageType: 'OrderPlaced' });
