/** What is wrong in a call, and what the compiler says of it: the first line, without its place. */
type WrongUse = readonly [call: string, message: string, before7?: string];

const inSaga: readonly WrongUse[] = [
  [
    "send('biling', 'ChargeCard', { orderId: '1', total: 1 })",
    `TS2345: Argument of type '"biling"' is not assignable to parameter of type '"billing" | "shipping"'.`,
  ],
  [
    "send('billing', 'ChargCard', { orderId: '1', total: 1 })",
    `TS2345: Argument of type '"ChargCard"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
  [
    "send('billing', 'ShipOrder', { orderId: '1', weight: '1' })",
    `TS2345: Argument of type '"ShipOrder"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
  [
    "send('billing', 'ChargeCard', { orderId: '1', total: '1' })",
    "TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "send('billing', 'ChargeCard', { orderId: '1' })",
    "TS2741: Property 'total' is missing in type '{ orderId: string; }' but required in type '{ orderId: string; total: number; }'.",
    "TS2345: Argument of type '{ orderId: string; }' is not assignable to parameter of type '{ orderId: string; total: number; }'.",
  ],
  [
    "send('billing', 'ChargeCard', { orderId: '1', totl: 1 })",
    "TS2561: Object literal may only specify known properties, but 'totl' does not exist in type '{ orderId: string; total: number; }'. Did you mean to write 'total'?",
  ],
  [
    // What the schema returns, not what it takes.
    "send('shipping', 'ShipOrder', { orderId: '1', weight: 1 })",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "void sendImmediately('biling', 'ChargeCard', { orderId: '1', total: 1 })",
    `TS2345: Argument of type '"biling"' is not assignable to parameter of type '"billing" | "shipping"'.`,
  ],
  [
    "publish('OrderFulfiled', { orderId: '1' })",
    `TS2345: Argument of type '"OrderFulfiled"' is not assignable to parameter of type '"OrderFulfilled"'.`,
  ],
  ["publish('OrderFulfilled', { orderId: 1 })", "TS2322: Type 'number' is not assignable to type 'string'."],
  [
    "reply('OrderTake', { orderId: '1' })",
    `TS2345: Argument of type '"OrderTake"' is not assignable to parameter of type '"OrderTaken"'.`,
  ],
  ["reply('OrderTaken', { orderId: 1 })", "TS2322: Type 'number' is not assignable to type 'string'."],
  [
    "requestTimeout('PaymentTimdOut', { orderId: '1' }, { after: { minutes: 1 } })",
    `TS2345: Argument of type '"PaymentTimdOut"' is not assignable to parameter of type '"CardCharged" | "OrderPlaced" | "PaymentTimedOut"'.`,
  ],
  [
    "requestTimeout('PaymentTimedOut', { orderId: 1 }, { after: { minutes: 1 } })",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "cancelTimeout('PaymentTimdOut')",
    `TS2345: Argument of type '"PaymentTimdOut"' is not assignable to parameter of type '"CardCharged" | "OrderPlaced" | "PaymentTimedOut"'.`,
  ],
];

const inHandlers: readonly WrongUse[] = [
  [
    "reply('CardChargd', { orderId: '1' })",
    `TS2345: Argument of type '"CardChargd"' is not assignable to parameter of type '"CardCharged"'.`,
  ],
  ["reply('CardCharged', { orderId: 1 })", "TS2322: Type 'number' is not assignable to type 'string'."],
  [
    "requestTimeout('CancelChrge', { orderId: '1' }, { after: { minutes: 1 } })",
    `TS2345: Argument of type '"CancelChrge"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
  [
    "requestTimeout('CancelCharge', { orderId: 1 }, { after: { minutes: 1 } })",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "cancelTimeout('CancelChrge')",
    `TS2345: Argument of type '"CancelChrge"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
];

const inSession: readonly WrongUse[] = [
  [
    "send('biling', 'CancelCharge', { orderId: '1' })",
    `TS2345: Argument of type '"biling"' is not assignable to parameter of type '"billing"'.`,
  ],
  [
    "send('billing', 'CancelChrge', { orderId: '1' })",
    `TS2345: Argument of type '"CancelChrge"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
  [
    "send('billing', 'CancelCharge', { orderId: 1 })",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "publish('OrderFulfiled', { orderId: '1' })",
    `TS2345: Argument of type '"OrderFulfiled"' is not assignable to parameter of type '"OrderFulfilled"'.`,
  ],
  ["publish('OrderFulfilled', { orderId: 1 })", "TS2322: Type 'number' is not assignable to type 'string'."],
];

const outside: readonly WrongUse[] = [
  [
    "session.publish('OrderFulfild', { orderId: '1' })",
    `TS2345: Argument of type '"OrderFulfild"' is not assignable to parameter of type '"OrderFulfilled"'.`,
  ],
  [
    "session.publish('OrderFulfilled', { orderId: 2 })",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "void handlersTest.deliver('ChargCard', { orderId: '1', total: 1 })",
    `TS2345: Argument of type '"ChargCard"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
  [
    "void sagaTest.deliver('OrderPlacd', { orderId: '1' })",
    `TS2345: Argument of type '"OrderPlacd"' is not assignable to parameter of type '"CardCharged" | "OrderPlaced" | "PaymentTimedOut"'.`,
  ],
  [
    "void sagaTest.deliver('OrderPlaced', { orderId: 1 })",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "void handlersTest.deliver('ChargeCard', { orderId: '1', total: '1' })",
    "TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "void producer.send('ChargCard', { orderId: '1', total: 1 })",
    `TS2345: Argument of type '"ChargCard"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
  [
    "void producer.send('ChargeCard', { orderId: '1', total: '1' })",
    "TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "void producer.sendBatch([{ type: 'ChargCard', body: { orderId: '1' } }])",
    `TS2820: Type '"ChargCard"' is not assignable to type '"CancelCharge" | "ChargeCard"'. Did you mean '"ChargeCard"'?`,
  ],
  [
    "void producer.sendBatch([{ type: 'CancelCharge', body: { orderId: 1 } }])",
    "TS2322: Type 'number' is not assignable to type 'string'.",
  ],
  [
    "plain.send('billing', 'ChargCard', { orderId: '1', total: 1 })",
    `TS2345: Argument of type '"ChargCard"' is not assignable to parameter of type '"CancelCharge" | "ChargeCard"'.`,
  ],
];

/** Right uses stand above the wrong ones: an error there is none of these. */
export const wrongUsesCode = `
import {
  createProducer,
  defineContract,
  defineHandlers,
  defineSaga,
  type HandlerContext,
  type OutboxSessionContext,
  runOutboxSession,
} from 'sagabox';
import { testHandlers, testSaga } from 'sagabox/testing';
import * as v from 'valibot';
import { z } from 'zod';

const order = z.object({ orderId: z.string() });
const billing = defineContract(
  'billing',
  { ChargeCard: z.object({ orderId: z.string(), total: z.number() }), CancelCharge: order },
  { replies: { CardCharged: order } },
);
const shipping = defineContract('shipping', {
  ShipOrder: v.object({ orderId: v.string(), weight: v.pipe(v.string(), v.transform(Number)) }),
});
const orders = defineContract('orders', { OrderPlaced: order }, { replies: { OrderTaken: order } });
const events = defineContract('events', { OrderFulfilled: order });

const saga = defineSaga({
  name: 'OrderSaga',
  messages: { ...orders.messages, ...billing.replies, PaymentTimedOut: order },
  sends: [billing, shipping],
  publishes: [events],
  replies: [orders],
  correlate: {
    OrderPlaced: (body) => body.orderId,
    CardCharged: (body) => body.orderId,
    PaymentTimedOut: (body) => body.orderId,
  },
  startedBy: ['OrderPlaced'],
  initialState: () => ({}),
  handlers: {
    CardCharged() {},
    PaymentTimedOut() {},
    OrderPlaced({ body }, { send, sendImmediately, publish, reply, requestTimeout, cancelTimeout }) {
      send('billing', 'ChargeCard', { orderId: body.orderId, total: 1 });
      send('shipping', 'ShipOrder', { orderId: body.orderId, weight: '1' }, { delay: { minutes: 1 } });
      publish('OrderFulfilled', body);
      reply('OrderTaken', body);
      requestTimeout('PaymentTimedOut', body, { after: { minutes: 1 } });
      cancelTimeout('PaymentTimedOut');
      void sendImmediately('billing', 'CancelCharge', body);
${inSaga.map(([call]) => call).join(';\n')};
    },
  },
});
const handlers = defineHandlers({
  messages: billing.messages,
  replies: [billing],
  handlers: {
    ChargeCard({ body }, { reply, send }) {
      reply('CardCharged', { orderId: body.orderId });
      send('anything', 'AnyType', 1);
    },
    CancelCharge() {},
  },
});
defineHandlers({
  messages: billing.messages,
  sends: [shipping],
  replies: [billing],
  handlers: {
    ChargeCard({ body: { orderId } }, { reply, requestTimeout, cancelTimeout }) {
      reply('CardCharged', { orderId });
      requestTimeout('CancelCharge', { orderId }, { after: { minutes: 1 } });
      cancelTimeout('CancelCharge');
${inHandlers.map(([call]) => call).join(';\n')};
    },
    CancelCharge() {},
  },
});
void runOutboxSession(
  { orderId: '1' },
  (event, { send, publish }) => {
    send('billing', 'CancelCharge', event);
    publish('OrderFulfilled', event);
${inSession.map(([call]) => call).join(';\n')};
  },
  { sends: [billing], publishes: [events] },
);
declare const session: OutboxSessionContext<{ publishes: [typeof events] }>;
session.publish('OrderFulfilled', { orderId: '1' });
session.send('anything', 'AnyType', 1);
const sagaTest = testSaga(saga);
const handlersTest = testHandlers(handlers);
declare const plain: HandlerContext<{ sends: [typeof billing] }>;
plain.send('billing', 'CancelCharge', { orderId: '1' });
plain.publish('AnyType', 1);
const producer = createProducer({ queueUrl: process.env.QUEUE_URL, contract: billing });
void producer.send('CancelCharge', { orderId: '1' }, { key: '1', delay: { minutes: 1 } });
void producer.sendBatch([{ type: 'CancelCharge', body: { orderId: '1' } }]);
void createProducer({ eventBus: 'default' }).send('AnyType', 1);
${outside.map(([call]) => call).join(';\n')};
`;

/** In the order in which the compiler tells them. */
export const wrongUses: readonly WrongUse[] = [...inSaga, ...inHandlers, ...inSession, ...outside];
