import {
  createHandler,
  createProducer,
  defineContract,
  defineHandlers,
  defineSaga,
  type HandlerContext,
  type IncomingMessage,
  type SagaHandlerContext,
  sagaOutbox,
} from 'sagabox';
import { testHandlers, testSaga } from 'sagabox/testing';
import * as v from 'valibot';
import { z } from 'zod';

/*
 * What is asserted here, `tsc -p .` checks: an unused `@ts-expect-error` is an error.
 */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_T extends true>(): void => {};

const zodOrder = z.object({ orderId: z.string(), total: z.string().transform(Number) });
const valibotOrder = v.object({ orderId: v.string(), total: v.pipe(v.string(), v.transform(Number)) });

interface OrderState {
  total: number;
  paid?: boolean;
}

export const zodSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: zodOrder, CardCharged: z.object({ orderId: z.string() }) },
  correlate: { OrderPlaced: (body) => body.orderId, CardCharged: (body) => body.orderId },
  startedBy: ['OrderPlaced'],
  initialState: (): OrderState => ({ total: 0 }),
  handlers: {
    OrderPlaced(message, context) {
      assertType<Equal<typeof message, IncomingMessage<'OrderPlaced', { orderId: string; total: number }>>>();
      const loose: SagaHandlerContext<OrderState> = context;
      assertType<Equal<typeof loose.saga, typeof context.saga>>();
      context.saga.state.total = message.body.total;
      // @ts-expect-error: the schema has no such field
      message.body.totl;
      // @ts-expect-error: a number is not a string
      const text: string = message.body.total;
      // @ts-expect-error: the state has no such field
      context.saga.state.totl = 1;
      // @ts-expect-error: the total is a number
      context.saga.state.total = 'ten';
      // @ts-expect-error: the id of a saga stays
      context.saga.id = text;
      context.requestTimeout('CardCharged', { orderId: '1' }, { after: { minutes: 15 } });
      // @ts-expect-error: a duration is no number
      context.requestTimeout('CardCharged', { orderId: '1' }, { after: 900 });
      // @ts-expect-error: a saga takes its own types only
      context.requestTimeout('PaymentTimedOut', { orderId: '1' }, { after: { minutes: 15 } });
      // @ts-expect-error: and bodies as its schema takes them
      context.requestTimeout('CardCharged', {}, { after: { minutes: 15 } });
      // @ts-expect-error: a saga takes its own types only
      context.cancelTimeout('PaymentTimedOut');
      // @ts-expect-error: headers are strings
      context.send('billing', 'ChargeCard', {}, { headers: { priority: 1 } });
    },
    async CardCharged({ body, id, type, headers, receiveCount, sentAt, record }, { saga, ...context }) {
      assertType<Equal<typeof type, 'CardCharged'>>();
      assertType<Equal<[typeof id, typeof receiveCount, typeof sentAt], [string, number, Date]>>();
      // @ts-expect-error: of another message's schema
      body.total;
      saga.state = { total: 0, paid: true };
      // @ts-expect-error: not a state of this saga
      saga.state = { paid: true };
      context.send('billing', 'Close', { ...headers }, { delay: { minutes: 1, seconds: 30 } });
      context.reply('Closed', record.messageId);
      context.transaction.add({ Delete: { TableName: 'carts', Key: { id: { S: body.orderId } } } });
      context.logger.info(context.awsRequestId, { remaining: context.getRemainingTimeInMillis() });
    },
  },
});

export const valibotSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: valibotOrder },
  correlate: {
    OrderPlaced(body) {
      assertType<Equal<typeof body, { orderId: string; total: number }>>();
      return body.total;
    },
  },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ lines: [] as string[] }),
  handlers: {
    async OrderPlaced({ body }, { saga }) {
      assertType<Equal<typeof saga.state, { lines: string[] }>>();
      saga.state.lines.push(body.orderId);
    },
  },
});

/** The state is the schema's, and what the initial one lacks is told there. */
export const stateSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: valibotOrder },
  correlate: { OrderPlaced: ({ orderId }) => orderId },
  startedBy: ['OrderPlaced'],
  stateSchema: z.object({
    total: z.number(),
    paid: z.boolean().optional(),
    notes: z.array(z.string()).default([]),
  }),
  migrate: { 1: (old: { sum: number }) => ({ total: old.sum }), 2: async (old) => ({ ...Object(old) }) },
  initialState: () => ({ total: 0, notes: [] }),
  handlers: {
    OrderPlaced(_message, { saga }) {
      assertType<Equal<typeof saga.state, { total: number; paid?: boolean | undefined; notes: string[] }>>();
    },
  },
});

export const valibotHandlers = defineHandlers({
  messages: { ShipOrder: v.object({ orderId: v.string() }) },
  handlers: {
    ShipOrder({ body }, context) {
      const loose: HandlerContext = context;
      // Without contracts, any name, type and body.
      loose.send('mail', 'WelcomeCustomer', body);
      context.send('mail', 'WelcomeCustomer', body);
      context.requestTimeout('ShipmentDelayed', body, { after: { minutes: 15 } });
      // @ts-expect-error: the schema has no such field
      body.order;
      // @ts-expect-error: handlers without a saga have none
      context.saga;
    },
  },
});

const mail = defineContract('mail', { Welcome: z.object({ name: z.string() }) });
const post = defineContract('post', { SendLetter: z.object({ name: z.string() }) });

/** What a handler gets fits functions that want less of it, or that know no contract. */
export const contractSaga = defineSaga({
  name: 'VisitSaga',
  messages: { Visited: z.object({ name: z.string() }) },
  sends: [mail, post],
  correlate: { Visited: (body) => body.name },
  startedBy: ['Visited'],
  initialState: () => ({ visits: 0 }),
  handlers: {
    Visited(_message, context) {
      const ofMail: SagaHandlerContext<{ visits: number }, { sends: [typeof mail] }> = context;
      const ofPost: HandlerContext<{ sends: [typeof post] }> = context;
      const loose: SagaHandlerContext<{ visits: number }> = context;
      ofMail.send('mail', 'Welcome', { name: 'Ada' });
      ofPost.send('post', 'SendLetter', { name: 'Ada' });
      loose.send('anything', 'AnyType', 1);
      // @ts-expect-error: the state has no such field
      const ofAnother: SagaHandlerContext<{ orders: number }> = context;
      void ofAnother;
    },
  },
});

export const contractHandlers = defineHandlers({
  messages: { Visited: z.object({ name: z.string() }) },
  sends: [mail, post],
  handlers: {
    Visited(_message, context) {
      const ofMail: HandlerContext<{ sends: [typeof mail] }> = context;
      const loose: HandlerContext = context;
      ofMail.send('mail', 'Welcome', { name: 'Ada' });
      loose.send('anything', 'AnyType', 1);
    },
  },
});

const messages = { A: z.object({ id: z.string() }), B: z.object({ id: z.string() }) };
const correlate = { A: () => 'a', B: () => 'b' };
const handlers = { A: () => {}, B: () => {} };
const rest = { name: 'S', messages, initialState: () => ({}) };

/** Never called: wrong in its types, and refused when it runs, too. */
export function refused(): void {
  // @ts-expect-error: B lacks its handler
  defineSaga({ ...rest, correlate, startedBy: ['A'], handlers: { A: () => {} } });
  // @ts-expect-error: B lacks its correlation
  defineSaga({ ...rest, correlate: { A: () => 'a' }, startedBy: ['A'], handlers });
  // @ts-expect-error: a correlation value is a string or a number
  defineSaga({ ...rest, correlate: { A: () => 'a', B: () => undefined }, startedBy: ['A'], handlers });
  // @ts-expect-error: there is no message C
  defineSaga({ ...rest, correlate, startedBy: ['C'], handlers });
  // @ts-expect-error: something must start it
  defineSaga({ ...rest, correlate, startedBy: [], handlers });
  const stateSchema = v.object({ total: v.number() });
  const stateful = { name: 'S', messages, correlate, handlers, stateSchema };
  defineSaga({ ...stateful, initialState: () => ({ total: 0 }), startedBy: ['A'] });
  // @ts-expect-error: the schema asks for a total
  defineSaga({ ...stateful, initialState: () => ({}), startedBy: ['A'] });
  // @ts-expect-error: the total is a number
  defineSaga({ ...stateful, initialState: () => ({ total: 'none' }), startedBy: ['A'] });
  // @ts-expect-error: an object is no schema
  defineSaga({ ...rest, stateSchema: { total: 'number' }, correlate, startedBy: ['A'], handlers });
  // @ts-expect-error: a state is an object
  defineSaga({ ...rest, migrate: { 1: () => 1 }, correlate, startedBy: ['A'], handlers });
  // @ts-expect-error: a state is an object
  defineSaga({ ...rest, initialState: () => 1, correlate, startedBy: ['A'], handlers });
  defineSaga({
    name: 'S',
    messages,
    initialState: () => ({}),
    startedBy: ['A'],
    // @ts-expect-error: there is no message C
    correlate: { A: () => 'a', B: () => 'b', C: () => 'c' },
    // @ts-expect-error: there is no message C
    handlers: { A: () => {}, B: () => {}, C: () => {} },
  });
  // @ts-expect-error: B lacks its handler
  defineHandlers({ messages, handlers: { A: () => {} } });
  // @ts-expect-error: there is no message C
  defineHandlers({ messages, handlers: { A: () => {}, B: () => {}, C: () => {} } });
  // @ts-expect-error: one address
  createProducer({ queueUrl: 'https://queues.test/orders', eventBus: 'default' });
  // @ts-expect-error: a plain object is no schema
  defineHandlers({ messages: { A: { id: 'string' } }, handlers: { A: () => {} } });
  // @ts-expect-error: there is no such option
  sagaOutbox({ tableName: 'sagas' });
  // @ts-expect-error: not what defineSaga or defineHandlers return
  createHandler({ handlers });
  // @ts-expect-error: 'saga' is the first argument
  createHandler(zodSaga, { saga: zodSaga });
  // @ts-expect-error: a saga of its own cannot run without its context
  void zodSaga.handler({} as IncomingMessage<'CardCharged', { orderId: string }>, {} as HandlerContext);
}

/** Never called: the types of the test kit. */
export async function tested(): Promise<void> {
  const saga = testSaga(zodSaga);
  // What producers send is what the schema takes, not what it makes of that.
  await saga.deliver('OrderPlaced', { orderId: '1', total: '10' });
  // @ts-expect-error: this is what the schema makes of it
  await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });
  // @ts-expect-error: there is no such message
  await saga.deliver('OrderPlacd', {});
  assertType<Equal<ReturnType<typeof saga.state>, OrderState | undefined>>();
  const billing = testHandlers(valibotHandlers);
  await billing.deliver('ShipOrder', { orderId: '1' });
  // @ts-expect-error: handlers without a saga have no state
  billing.state('1');
  // @ts-expect-error: a saga is tested by testSaga
  testSaga(valibotHandlers);
}

/** Never called: only the handlers that are named append and collect. */
export function contributed(): void {
  const messages = { Started: zodOrder, Added: zodOrder, Counted: zodOrder };
  const correlate = { Started: () => 'a', Added: () => 'a', Counted: () => 'a' };
  defineSaga({
    name: 'S',
    messages,
    correlate,
    startedBy: ['Started'],
    appendedBy: ['Added'],
    collectedBy: ['Counted'],
    initialState: (): OrderState => ({ total: 0 }),
    handlers: {
      Started(_message, { saga }) {
        // @ts-expect-error: not in appendedBy
        saga.append('a', 1);
        // @ts-expect-error: not in collectedBy
        saga.collect('a');
      },
      Added({ body }, context) {
        assertType<Equal<typeof body.total, number>>();
        context.saga.append('a', body.total, { keepFor: { days: 1 } });
        // @ts-expect-error: it leaves the saga as it is
        context.saga.state.total = 1;
        // @ts-expect-error: it leaves the saga as it is
        context.saga.complete();
        // @ts-expect-error: a timeout is a part of the saga
        context.requestTimeout('Counted', body, { after: { hours: 1 } });
      },
      async Counted(_message, { saga }) {
        const all = await saga.collect<number>('a');
        const some = await saga.collect<number>('c', { atMost: 2 });
        some.values satisfies readonly number[];
        const enough = await saga.collect<number>('b', { atLeast: 2 });
        assertType<Equal<typeof all.values, readonly number[]>>();
        // @ts-expect-error: there may be fewer
        saga.state.total += enough.values.length;
      },
    },
  });
}
