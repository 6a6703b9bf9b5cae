import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineSaga, type StateMapper } from 'sagabox';
import { type SagaTest, sqsRecord, testSaga } from 'sagabox/testing';
import { z } from 'zod';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { type OrderState, orderSaga } from './order-saga.ts';

let saga: SagaTest<typeof orderSaga.messages, OrderState>;

beforeEach(() => {
  saga = testSaga(orderSaga);
});

describe('a delivery', () => {
  it('is handled as in production: state, outgoing messages, timeouts and writes are committed', async () => {
    const result = await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });

    expect(result).toMatchObject({ messageId: 'message-1', outcome: 'handled', sagaId: '1' });
    expect(saga.state('1')).toEqual({ total: 10, reminders: 0 });
    expect(saga.outgoing).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        destination: 'billing',
        type: 'ChargeCard',
        body: { orderId: '1', currency: 'EUR' },
        headers: {
          'Sagabox.CausationId': 'message-1',
          'Sagabox.ConversationId': 'message-1',
          'Sagabox.CorrelationId': '1',
          'Sagabox.ReplyTo': 'test',
          'Sagabox.Saga': 'OrderSaga',
          'Sagabox.SagaVersion': '1.0',
          'Sagabox.SentAt': '2026-01-01T00:00:00.000Z',
        },
      },
    ]);
    expect(saga.timeouts).toMatchObject([
      { type: 'PaymentTimedOut', body: { orderId: '1' }, dueAt: new Date('2026-01-01T00:10:00Z') },
    ]);
    expect(saga.transactionItems).toHaveLength(1);
  });

  it('tells what it did by itself', async () => {
    await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });
    const second = await saga.deliver('OrderPlaced', { orderId: '2', total: 20 });

    expect(second.outgoing.map(({ body }) => body)).toEqual([{ orderId: '2', currency: 'EUR' }]);
    expect(second.outgoing).toEqual(saga.outgoing.slice(1));
    expect(second.timeouts).toHaveLength(1);
    expect(second.transactionItems).toHaveLength(1);
    expect(saga.outgoing).toHaveLength(2);
  });

  it('of an id that was handled is a duplicate, and changes nothing', async () => {
    const placed = { orderId: '1', total: 10 };
    await saga.deliver('OrderPlaced', placed, { id: 'order-1' });
    const copy = await saga.deliver('OrderPlaced', placed, { id: 'order-1', receiveCount: 2 });

    expect(copy).toMatchObject({ outcome: 'duplicate', outgoing: [], timeouts: [], transactionItems: [] });
    expect(saga.state('1')?.total).toBe(10);
    expect([saga.outgoing, saga.timeouts, saga.transactionItems].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ]);
  });

  it('that finds no saga and starts none is discarded', async () => {
    const { outcome } = await saga.deliver('CardCharged', { orderId: '1' });
    expect(outcome).toBe('discarded');
    expect(saga.discarded.map(({ type }) => type)).toEqual(['CardCharged']);
    expect(saga.isCompleted('1')).toBe(false);
  });

  it('waits for those before it that belong to the same saga', async () => {
    const totals = Array.from({ length: 20 }, () => ({ orderId: '1', total: 1 }));
    await Promise.all(totals.map((body) => saga.deliver('OrderPlaced', body)));
    expect(saga.state('1')?.total).toBe(20);
  });
});

it('a completion ends the saga, until it starts anew', async () => {
  await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });
  expect(saga.isCompleted('1')).toBe(false);
  await saga.deliver('CardCharged', { orderId: '1' });
  expect([saga.isCompleted('1'), saga.state('1')]).toEqual([true, undefined]);
  await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });
  expect(saga.isCompleted('1')).toBe(false);
  // One that starts and ends with one message.
  await saga.deliver('PlacedAndCancelled', { orderId: '2' });
  expect(saga.isCompleted('2')).toBe(true);
});

describe('timeouts', () => {
  beforeEach(async () => {
    await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });
  });

  it('fire when time gets there, and not before', async () => {
    expect(await saga.advance({ minutes: 9, seconds: 59, milliseconds: 999 })).toEqual([]);
    expect(saga.state('1')?.reminders).toBe(0);
    expect(await saga.advance({ milliseconds: 1 })).toMatchObject([{ outcome: 'handled', sagaId: '1' }]);
    expect(saga.state('1')?.reminders).toBe(1);
    expect(saga.now).toEqual(new Date('2026-01-01T00:10:00Z'));
  });

  it('that are requested on the way fire too', async () => {
    expect(await saga.advance({ minutes: 15 })).toHaveLength(2);
    expect(saga.timeouts.map(({ dueAt }) => dueAt)).toEqual([new Date('2026-01-01T00:20:00Z')]);
  });

  it('fire at once with fireTimeouts, which moves the clock to each', async () => {
    expect(await saga.fireTimeouts()).toHaveLength(1);
    expect(saga.now).toEqual(new Date('2026-01-01T00:10:00Z'));
    expect(saga.timeouts).toHaveLength(1);
  });

  it('fire in the order in which they are due', async () => {
    await saga.advance({ minutes: 1 });
    await saga.deliver('OrderPlaced', { orderId: '2', total: 10 });
    const fired = await saga.fireTimeouts();
    expect(fired.map(({ sagaId }) => sagaId)).toEqual(['1', '2']);
    expect(saga.now).toEqual(new Date('2026-01-01T00:11:00Z'));
  });

  it('wait on when their handler throws', async () => {
    await saga.advance({ minutes: 15 });
    await expect(saga.fireTimeouts()).rejects.toThrow('nobody answers');
    expect(saga.state('1')?.reminders).toBe(2);
    expect(saga.timeouts).toHaveLength(1);
  });

  it('of a completed saga are discarded', async () => {
    await saga.deliver('CardCharged', { orderId: '1' });
    expect(await saga.fireTimeouts()).toMatchObject([{ outcome: 'discarded' }]);
    expect(saga.timeouts).toEqual([]);
  });

  it('are not the messages that others get later', async () => {
    await saga.fireTimeouts();
    expect(saga.outgoing.at(-1)).toMatchObject({ destination: 'mail', delaySeconds: 30 });
  });

  it.each([{ seconds: -1 }, { minutes: Number.NaN }])('never go back in time: %j', async (duration) => {
    expect((await sagaboxErrorOf(saga.advance(duration))).code).toBe('Configuration');
  });
});

describe('what fails in production is thrown, and commits nothing', () => {
  it('a handler that throws', async () => {
    const failing = defineSaga({
      name: 'Failing',
      messages: { Begin: z.object({ id: z.string() }) },
      correlate: { Begin: (body) => body.id },
      startedBy: ['Begin'],
      initialState: () => ({}),
      handlers: {
        Begin(_message, { send }) {
          send('billing', 'ChargeCard', {});
          throw new RangeError('a bug');
        },
      },
    });
    const test = testSaga(failing);
    await expect(test.deliver('Begin', { id: '1' })).rejects.toThrow(new RangeError('a bug'));
    expect([test.state('1'), test.outgoing, test.isCompleted('1')]).toEqual([undefined, [], false]);
  });

  it.each([
    ['InvalidMessage', { type: 'OrderPlaced', body: { orderId: '1', total: 'ten' } }, 'total'],
    ['InvalidMessage', { type: 'OrderPlaced', rawBody: 'no JSON' }, ''],
    ['UnknownMessageType', { type: 'Foreign' }, ''],
    ['CorrelationMissing', { type: 'CardCharged', body: { orderId: '' } }, ''],
  ])('%s', async (code, options, problem) => {
    const message = expect.stringContaining(problem);
    expect(await sagaboxErrorOf(saga.deliverRecord(sqsRecord(options)))).toMatchObject({ code, message });
  });

  it('a state that DynamoDB cannot store', async () => {
    await saga.deliver('OrderPlaced', { orderId: '1', total: 10 });
    const error = await sagaboxErrorOf(saga.deliver('StateSpoiled', { orderId: '1' }));
    expect(error.code).toBe('UnsupportedState');
    expect(error.message).toContain(
      "id '1' cannot be stored: state.notes is a Date: store an ISO 8601 string",
    );
    expect(saga.state('1')?.notes).toBeUndefined();
    expect(saga.outgoing).toHaveLength(1);
  });

  it('a state over the 399 KB of a saga', async () => {
    const placed = (notes: string) => saga.deliver('OrderPlaced', { orderId: '1', total: 1, notes });
    await placed('x'.repeat(408_000));
    expect((await sagaboxErrorOf(placed('x'.repeat(409_000)))).code).toBe('ItemTooLarge');
  });

  it('a destination that is not in the list, when there is one', async () => {
    const placed = { orderId: '1', total: 10 };
    const strict = testSaga(orderSaga, { destinations: ['shipping'] });
    expect((await sagaboxErrorOf(strict.deliver('OrderPlaced', placed))).message).toContain("'billing'");
    const allowed = testSaga(orderSaga, { destinations: ['billing'] });
    expect((await allowed.deliver('OrderPlaced', placed)).outcome).toBe('handled');
  });
});

describe('options', () => {
  it('a mapper of the user stores and revives the state', async () => {
    const mapper: StateMapper = {
      toAttributes: (state) => defaultMapper.toAttributes({ json: JSON.stringify(state) }),
      fromAttributes: ({ json }) => {
        const state: OrderState = JSON.parse(json?.S ?? '');
        return { ...state, notes: state.notes && new Date(String(state.notes)) };
      },
    };
    const mapped = testSaga(orderSaga, { mapper });
    await mapped.deliver('OrderPlaced', { orderId: '1', total: 10 });
    await mapped.deliver('StateSpoiled', { orderId: '1' });
    expect(mapped.state('1')?.notes).toEqual(new Date(0));
  });

  it('endpoint, now and defaultMessageType', async () => {
    const now = new Date('2030-01-01T00:00:00Z');
    const test = testSaga(orderSaga, { endpoint: 'orders', now, defaultMessageType: 'OrderPlaced' });
    const { timeouts } = await test.deliverRecord(sqsRecord({ body: { orderId: '1', total: 1 } }));
    expect(timeouts).toMatchObject([{ destination: 'orders', dueAt: new Date('2030-01-01T00:10:00Z') }]);
    expect(test.outgoing[0]?.headers).toMatchObject({ 'Sagabox.ReplyTo': 'orders' });
  });

  it('sagas are there at the start, for messages that start none too', async () => {
    const started = testSaga(orderSaga, {
      sagas: { '7': { state: { total: 5, reminders: 2, notes: null } } },
    });
    expect(started.state('7')).toEqual({ total: 5, reminders: 2, notes: null });
    expect(await started.deliver('CardCharged', { orderId: '7' })).toMatchObject({ outcome: 'handled' });
    expect(started.isCompleted('7')).toBe(true);
  });

  it('a saga of an earlier version is migrated by its first message', async () => {
    const order = z.object({ orderId: z.string() });
    const counting = defineSaga({
      name: 'Counting',
      messages: { Counted: order },
      correlate: { Counted: ({ orderId }) => orderId },
      startedBy: ['Counted'],
      stateSchema: z.object({ counts: z.array(z.number()), note: z.string().default('') }),
      migrate: { 1: (old: { count: number }) => ({ counts: [old.count] }) },
      initialState: () => ({ counts: [], note: '' }),
      handlers: { Counted: (_message, { saga }) => void saga.state.counts.push(1) },
    });
    const test = testSaga(counting, {
      sagas: { a: { state: { count: 3 }, stateVersion: 1 }, b: { state: { counts: [4] } } },
    });
    for (const orderId of ['a', 'b', 'c']) await test.deliver('Counted', { orderId });
    expect(['a', 'b', 'c'].map((id) => test.state(id))).toEqual([
      { counts: [3, 1], note: '' },
      { counts: [4, 1], note: '' },
      { counts: [1], note: '' },
    ]);
  });

  it.each([0, 1.5, '2'])('refuse the version %p of a state', (stateVersion) => {
    const sagas = { '7': { state: {}, stateVersion: stateVersion as number } };
    expect(() => testSaga(orderSaga, { sagas })).toThrow("sagas['7'].stateVersion");
  });

  it('refuse an endpoint that cannot be part of a key', () => {
    expect(() => testSaga(orderSaga, { endpoint: 'a#b' })).toThrow('cannot be part of a key');
  });
});

it.each([
  [{ endpint: 'orders' }, "endpint: there is no such setting (did you mean 'endpoint'?)"],
  [{ queue: 'orders' }, 'queue: there is no such setting. Rename it, or leave it out. See docs/'],
  [{ mapper: {} }, 'mapper: it lacks toAttributes, fromAttributes'],
  [{ logger: 5 }, 'logger: 5 is not an object'],
  [{ now: '2026-01-01' }, 'now: "2026-01-01" is not an object'],
  [{ scheduler: { groupName: 'a' } }, 'scheduler: {"groupName":"a"} is not true or false'],
])('options that cannot be meant are refused at once: %j', (options, problem) => {
  expect(() => testSaga(orderSaga, options as never)).toThrow(
    expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(problem) }),
  );
});
