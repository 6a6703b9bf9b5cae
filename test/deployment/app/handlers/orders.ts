/** Optimistic. Sends in every way: to queues, a topic and an event bus, at once and delayed. */
import { createHandler, defineSaga, type SagaHandlerContext } from 'sagabox';
import { object, string } from 'valibot';
import { countStep } from './count-step.ts';
import { counterSaga } from './counter.ts';
import { deliverySaga } from './delivery.ts';
import { incompressiblePages, largeText } from './large-text.ts';
import { remarksSaga } from './remarks.ts';

interface OrderState {
  begun: number;
  answered: number;
}

type Context = SagaHandlerContext<OrderState>;

const order = object({ orderId: string() });
const orderIdOf = ({ orderId }: { orderId: string }) => orderId;
/** The order was told of in all three ways. */
const waysIn = 3;
/** Billing and stock answered, and the delay is over. */
const answers = 3;

const begin =
  (step: string) =>
  ({ body: { orderId } }: { body: { orderId: string } }, context: Context): void => {
    const { saga, transaction } = context;
    transaction.add(countStep(orderId, step));
    saga.state.begun += 1;
    if (saga.state.begun === waysIn) sendAll(orderId, context);
  };

const answer =
  (step: string) =>
  ({ body: { orderId } }: { body: { orderId: string } }, context: Context): void => {
    const { saga, send, cancelTimeout, transaction } = context;
    transaction.add(countStep(orderId, step));
    saga.state.answered += 1;
    if (saga.state.answered < answers) return;
    cancelTimeout('ReviewDue');
    send('receipts', 'OrderDone', { orderId });
    saga.complete();
  };

function sendAll(orderId: string, { send, publish, requestTimeout }: Context): void {
  const inGroup = { messageGroupId: orderId };
  send('billing', 'ChargeCard', { orderId }, inGroup);
  send('billing', 'StoreDocument', { orderId, document: largeText }, inGroup);
  // A FIFO queue takes no delay of its own, so that this one waits in a schedule.
  send('billing', 'Remind', { orderId }, { ...inGroup, delay: { seconds: 5 } });
  send('orders', 'Packed', { orderId }, { delay: { seconds: 1 } });
  send('parcels', 'PackParcel', { orderId });
  send('orders', 'DeliveryAsked', { orderId });
  send('receipts', 'OrderAccepted', { orderId });
  send('labels', 'PrintLabel', { orderId }, inGroup);
  publish('OrderAccepted', { orderId, document: largeText });
  publish('OrderAudited', { orderId });
  requestTimeout('ReviewDue', { orderId }, { after: { minutes: 20 } });
}

const orders = defineSaga({
  name: 'ProofOrder',
  messages: {
    OrderPlaced: order,
    OrderNoted: order,
    'shop.customer-known': order,
    CardCharged: order,
    StockReserved: order,
    Packed: order,
    ReviewDue: order,
    CatalogueAsked: order,
  },
  correlate: {
    OrderPlaced: orderIdOf,
    OrderNoted: orderIdOf,
    'shop.customer-known': orderIdOf,
    CardCharged: orderIdOf,
    StockReserved: orderIdOf,
    Packed: orderIdOf,
    ReviewDue: orderIdOf,
    CatalogueAsked: orderIdOf,
  },
  startedBy: ['OrderPlaced', 'OrderNoted', 'shop.customer-known', 'CatalogueAsked'],
  initialState: (): OrderState => ({ begun: 0, answered: 0 }),
  handlers: {
    OrderPlaced: begin('placed'),
    OrderNoted: begin('noted'),
    'shop.customer-known': begin('customer known'),
    CardCharged: answer('charged'),
    StockReserved: answer('reserved'),
    Packed: answer('packed'),
    ReviewDue({ body: { orderId } }, { transaction }) {
      transaction.add(countStep(orderId, 'reviewed'));
    },
    /** Its record takes chunks. */
    CatalogueAsked({ body: { orderId } }, { saga, send }) {
      for (const page of incompressiblePages()) send('receipts', 'CataloguePage', { orderId, page });
      saga.complete();
    },
  },
});

// A plain producer says nothing of a type.
export const handler = createHandler(
  [orders, deliverySaga, counterSaga('OrdersCounter', 'billing'), remarksSaga],
  {
    defaultMessageType: 'OrderNoted',
  },
);
