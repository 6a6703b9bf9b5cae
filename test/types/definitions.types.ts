import {
  createHandler,
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
      assertType<Equal<typeof context, SagaHandlerContext<OrderState>>>();
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
      // @ts-expect-error: a duration is no number
      context.requestTimeout('PaymentTimedOut', {}, { after: 900 });
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

export const valibotHandlers = defineHandlers({
  messages: { ShipOrder: v.object({ orderId: v.string() }) },
  handlers: {
    ShipOrder({ body }, context) {
      assertType<Equal<typeof context, HandlerContext>>();
      // @ts-expect-error: the schema has no such field
      body.order;
      // @ts-expect-error: handlers without a saga have none
      context.saga;
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
