import { describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import {
  defineContract,
  defineHandlers,
  defineSaga,
  type HandlerContext,
  type IncomingMessage,
  SagaboxError,
  sagaOutbox,
} from 'sagabox';
import { testHandlers, testSaga } from 'sagabox/testing';
import * as v from 'valibot';
import { z } from 'zod';
import { memoryPorts } from '../../support/memory-flow.ts';
import { record } from '../../support/queue.ts';

const order = z.object({ orderId: z.string() });
const later = v.objectAsync({
  orderId: v.pipeAsync(
    v.string(),
    v.checkAsync(async (id) => id !== '13'),
  ),
});

const billing = defineContract(
  'billing',
  { ChargeCard: z.object({ orderId: z.string(), total: z.string().transform(Number) }) },
  { replies: { CardCharged: order } },
);
const risk = defineContract('risk', { CheckOrder: later });
const events = defineContract('events', { OrderAccepted: order });
const orders = defineContract('orders', { OrderPlaced: order }, { replies: { OrderTaken: order } });

/** As plain JavaScript calls it, or a caller that casts. */
type Loose = HandlerContext;

const saga = (run: (context: Loose) => unknown) =>
  defineSaga({
    name: 'OrderSaga',
    messages: { ...orders.messages, TimedOut: order },
    sends: [billing, risk],
    publishes: [events],
    replies: [orders],
    correlate: { OrderPlaced: (body) => body.orderId, TimedOut: (body) => body.orderId },
    startedBy: ['OrderPlaced'],
    initialState: () => ({}),
    handlers: {
      async OrderPlaced(_message, context) {
        await run(context as Loose);
      },
      TimedOut() {},
    },
  });

async function refusalIn(run: (context: Loose) => unknown): Promise<SagaboxError<'InvalidOutgoingMessage'>> {
  const test = testSaga(saga(run));
  const error = await test.deliver('OrderPlaced', { orderId: '1' }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SagaboxError);
  expect((error as SagaboxError).code).toBe('InvalidOutgoingMessage');
  expect(test.outgoing).toEqual([]);
  expect(test.state('1')).toBeUndefined();
  return error as SagaboxError<'InvalidOutgoingMessage'>;
}

const after = { after: { minutes: 1 } };

describe('with contracts', () => {
  it.each<[string, (context: Loose) => unknown, string, string]>([
    ['send', (c) => c.send('billing', 'ChargeCard', { orderId: '1', total: 1 }), 'billing', 'total: '],
    [
      'send, by an asynchronous schema',
      (c) => c.send('risk', 'CheckOrder', { orderId: '13' }),
      'risk',
      'orderId: ',
    ],
    ['publish', (c) => c.publish('OrderAccepted', { orderId: 1 }), 'events', 'orderId: '],
    ['reply', (c) => c.reply('OrderTaken', {}), 'sender', 'orderId: '],
    ['requestTimeout', (c) => c.requestTimeout('TimedOut', { orderId: null }, after), 'test', 'orderId: '],
    ['sendImmediately', (c) => c.sendImmediately('risk', 'CheckOrder', { orderId: 1 }), 'risk', 'orderId: '],
  ])('%s refuses a body that does not fit its schema, and names the field', async (_call, run, to, issue) => {
    const { facts } = await refusalIn(run);
    expect(facts.destination).toBe(to);
    expect(facts.issues).toEqual([expect.stringContaining(issue)]);
    expect(facts.detail).toBe(`its body does not fit its schema: ${facts.issues?.join('; ')}`);
  });

  it.each<[string, (context: Loose) => unknown, string]>([
    [
      'a destination',
      (c) => c.send('shipping', 'ChargeCard', {}),
      "no contract in 'sends' has that name (listed: billing, risk)",
    ],
    [
      'a type of send',
      (c) => c.send('billing', 'toString', {}),
      "the contract 'billing' has no such type (known: ChargeCard)",
    ],
    [
      'a type of publish',
      (c) => c.publish('ChargeCard', {}),
      "no contract in 'publishes' has that type (known: OrderAccepted)",
    ],
    [
      'a type of reply',
      (c) => c.reply('CardCharged', {}),
      "no contract in 'replies' has that type (known: OrderTaken)",
    ],
  ])('refuses %s that is not listed', async (_what, run, detail) => {
    const { facts } = await refusalIn(run);
    expect(facts.detail).toBe(detail);
  });

  it('refuses at the call, where a handler can catch it, if the schema is synchronous', async () => {
    const caught: unknown[] = [];
    const test = testSaga(
      saga(({ send }) => {
        try {
          send('billing', 'ChargeCard', { orderId: 1 });
        } catch (error) {
          caught.push(error);
        }
      }),
    );
    const { outgoing } = await test.deliver('OrderPlaced', { orderId: '1' });
    expect(caught).toEqual([expect.any(SagaboxError)]);
    expect(outgoing).toEqual([]);
  });

  it('sends the body as it was given, not what its schema makes of it', async () => {
    const { outgoing } = await testSaga(
      saga(({ send, publish }) => {
        send('billing', 'ChargeCard', { orderId: '1', total: '10' });
        publish('OrderAccepted', { orderId: '1' });
      }),
    ).deliver('OrderPlaced', { orderId: '1' });
    expect(outgoing.map(({ body }) => body)).toEqual([{ orderId: '1', total: '10' }, { orderId: '1' }]);
  });

  it('sends what was given also if a schema changes it', async () => {
    const schema: StandardSchemaV1<{ n?: number }> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({ value: Object.assign(value as object, { n: 1 }) }),
      },
    };
    const contract = defineContract('counter', { Count: schema });
    const handlers = defineHandlers({
      messages: { Start: order },
      sends: [contract],
      handlers: { Start: (_message, { send }) => send('counter', 'Count', {}) },
    });
    const { outgoing } = await testHandlers(handlers).deliver('Start', { orderId: '1' });
    expect(outgoing[0]?.body).toEqual({});
  });

  it('checks bodies as JSON has them', async () => {
    const contract = defineContract('calendar', { Book: z.object({ day: z.date() }) });
    const handlers = defineHandlers({
      messages: { Start: order },
      sends: [contract],
      handlers: { Start: (_message, { send }) => send('calendar', 'Book', { day: new Date() }) },
    });
    await expect(testHandlers(handlers).deliver('Start', { orderId: '1' })).rejects.toMatchObject({
      facts: { issues: [expect.stringContaining('day: ')] },
    });
  });
});

it('checks nothing that is not listed', async () => {
  const handlers = defineHandlers({
    messages: { Start: order },
    publishes: [events],
    handlers: {
      Start(_message, { send, reply, requestTimeout }) {
        send('billing', 'ChargeCard', 1);
        reply('CardCharged', 2);
        requestTimeout('Start', 3, after);
      },
    },
  });
  const { outgoing, timeouts } = await testHandlers(handlers).deliver('Start', { orderId: '1' });
  expect([...outgoing, ...timeouts].map(({ body }) => body)).toEqual([1, 2, 3]);
});

describe('of a sender whose lists are all empty', () => {
  const withEmptyLists = (run: (context: Loose) => unknown) =>
    testHandlers(
      defineHandlers({
        messages: { Start: order },
        sends: [],
        replies: [],
        handlers: { Start: (_message, context) => void run(context as Loose) },
      }),
    ).deliver('Start', { orderId: '1' });

  it.each<[string, (context: Loose) => unknown, string]>([
    ['send', (c) => c.send('billing', 'ChargeCard', {}), "there is no contract in 'sends' that has it"],
    ['reply', (c) => c.reply('CardCharged', {}), "there is no contract in 'replies' that has it"],
    [
      'requestTimeout for another type',
      (c) => c.requestTimeout('toString', {}, after),
      "there is no contract in 'timeouts' that has it",
    ],
    [
      'requestTimeout with another body',
      (c) => c.requestTimeout('Start', {}, after),
      'its body does not fit its schema: ',
    ],
  ])('%s is refused', async (_call, run, detail) => {
    await expect(withEmptyLists(run)).rejects.toMatchObject({
      code: 'InvalidOutgoingMessage',
      facts: { detail: expect.stringContaining(detail) },
    });
  });

  it('what has no list is taken', async () => {
    const { outgoing, timeouts } = await withEmptyLists(({ publish, requestTimeout }) => {
      publish('AnyType', 1);
      requestTimeout('Start', { orderId: '1' }, after);
    });
    expect([...outgoing, ...timeouts].map(({ type }) => type)).toEqual(['AnyType', 'Start']);
  });
});

it('checks by the lists of the definition, which take the place of those in the options', async () => {
  const { ports, dispatcher } = memoryPorts();
  const accounting = defineContract('billing', { Book: order });
  const handlers = defineHandlers({
    messages: { Start: order },
    sends: [billing],
    handlers: {
      Start: (_message, { send }) => send('billing', 'ChargeCard', { orderId: '1', total: '10' }),
    },
  });
  const outbox = sagaOutbox({
    sends: [accounting],
    endpoint: 'orders',
    destinations: { billing: 'https://queues.test/billing' },
    ports,
  });
  const handle = middy(handlers.handler).use(outbox);
  await handle(record('Start', { orderId: '1' }) as never, {} as never);
  expect(dispatcher.sent.map(({ type }) => type)).toEqual(['ChargeCard']);
});

it('checks nothing with validateOutgoing: false', async () => {
  const wrong = saga(({ send }) => send('billing', 'ChargeCard', { orderId: 1 }));
  const { outgoing } = await testSaga(wrong, { validateOutgoing: false }).deliver('OrderPlaced', {
    orderId: '1',
  });
  expect(outgoing).toHaveLength(1);
});

describe('a plain function', () => {
  const welcome = async (message: IncomingMessage, { send }: HandlerContext<{ sends: [typeof billing] }>) => {
    send('billing', 'ChargeCard', message.body as { orderId: string; total: string });
  };
  const handle = async (body: object, validateOutgoing: boolean) => {
    const { ports, dispatcher } = memoryPorts();
    const outbox = sagaOutbox({
      sends: [billing],
      validateOutgoing,
      endpoint: 'orders',
      destinations: { billing: 'https://queues.test/billing' },
      ports,
    });
    await middy(welcome).use(outbox)(record('Placed', body) as never, {} as never);
    return dispatcher.sent;
  };

  it('lists its contracts in the options of sagaOutbox', async () => {
    await expect(handle({ orderId: '1' }, true)).rejects.toMatchObject({
      code: 'InvalidOutgoingMessage',
      facts: { issues: [expect.stringContaining('total: ')] },
    });
    expect(await handle({ orderId: '1', total: '10' }, true)).toHaveLength(1);
    expect(await handle({ orderId: '1' }, false)).toHaveLength(1);
  });
});
