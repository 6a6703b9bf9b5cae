/** Pessimistic, in a table that is both the sagas' and the outbox. */
import { createHandler, defineSaga, type SagaHandlerContext } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './count-step.ts';
import { counterSaga } from './counter.ts';
import { incompressiblePages, largeText } from './large-text.ts';

interface StockState {
  steps: number;
}

const order = object({ orderId: string() });
const orderIdOf = ({ orderId }: { orderId: string }) => orderId;
/** The goods were ordered from outside, and the order was accepted. */
const stepsOfAll = 2;

const step =
  (name: string) =>
  (
    { body: { orderId } }: { body: { orderId: string } },
    { saga, send, transaction }: SagaHandlerContext<StockState>,
  ): void => {
    transaction.add(countStep(orderId, name));
    saga.state.steps += 1;
    if (saga.state.steps < stepsOfAll) return;
    send('orders', 'StockReserved', { orderId, document: largeText });
    // Comes when the saga is over, and is discarded.
    send('stock', 'StockCounted', { orderId });
    saga.complete();
  };

const stock = defineSaga({
  name: 'ProofStock',
  messages: {
    GoodsOrdered: order,
    OrderAccepted: order,
    StockCounted: order,
    StockListAsked: order,
    StockListed: order,
  },
  correlate: {
    GoodsOrdered: orderIdOf,
    OrderAccepted: orderIdOf,
    StockCounted: orderIdOf,
    StockListAsked: orderIdOf,
    StockListed: orderIdOf,
  },
  startedBy: ['GoodsOrdered', 'OrderAccepted', 'StockListAsked'],
  initialState: (): StockState => ({ steps: 0 }),
  handlers: {
    GoodsOrdered: step('goods ordered'),
    OrderAccepted: step('accepted'),
    StockCounted: step('counted'),
    /** Its record takes chunks; what it sends is discarded too. */
    StockListAsked({ body: { orderId } }, { saga, send }) {
      for (const page of incompressiblePages()) send('stock', 'StockListed', { orderId, page });
      saga.complete();
    },
    StockListed: step('listed'),
  },
});

export const handler = createHandler([stock, counterSaga('StockCounter', 'parcels')], {
  locking: { mode: 'pessimistic', leaseDuration: { seconds: 5 } },
});
