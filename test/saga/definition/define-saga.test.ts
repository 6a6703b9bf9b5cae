import { describe, expect, it } from '@jest/globals';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { defineSaga } from '../../../lib/saga/definition/define-saga.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';

const definition = {
  name: 'OrderSaga',
  messages: {
    OrderPlaced: z.object({ orderId: z.unknown().optional() }),
    CardCharged: z.object({ orderId: z.unknown().optional() }),
  },
  correlate: {
    OrderPlaced: (body: { orderId?: unknown }) => body.orderId as string,
    CardCharged: (body: { orderId?: unknown }) => body.orderId as string,
  },
  startedBy: ['OrderPlaced'] as ['OrderPlaced'],
  initialState: () => ({ total: 0 }),
  handlers: { OrderPlaced: () => {}, CardCharged: () => {} },
};

const shared = { lines: [1], tags: new Set(['a']), bytes: new Uint8Array(1), frozen: Object.freeze([{}]) };

/** What handlers would change in all sagas of a process. */
const sharedParts: readonly (readonly [path: string, initialState: () => object])[] = [
  ['state.lines', () => ({ ...shared })],
  ['state.order.lines', () => ({ order: { lines: shared.lines } })],
  ['state.all[1]', () => ({ all: [0, shared.lines] })],
  ['state.tags', () => ({ tags: shared.tags })],
  ['state.bytes', () => ({ bytes: shared.bytes })],
  ['state.frozen[0]', () => ({ frozen: shared.frozen })],
];

const messageOf = (type: string, body: unknown) => readEnvelope(sqsRecord({ type, body, id: 'in-1' }));

describe('correlation', () => {
  const saga = defineSaga(definition);

  it.each([
    ['a string', '42', '42'],
    ['a number', 42, '42'],
    ['zero', 0, '0'],
    ['a separator', 'a#b', 'a#b'],
    ['spaces', '  ', '  '],
  ])('takes %s', async (_case, orderId, id) => {
    expect(await saga.correlate(messageOf('OrderPlaced', { orderId }))).toMatchObject({
      identity: { name: 'OrderSaga', id },
      starts: true,
    });
  });

  it('tells which messages start a saga', async () => {
    expect((await saga.correlate(messageOf('CardCharged', { orderId: '1' }))).starts).toBe(false);
  });

  it.each([undefined, null, '', {}, [], true])('misses its value in %j', async (orderId) => {
    const error = await sagaboxErrorOf(saga.correlate(messageOf('OrderPlaced', { orderId })));
    expect(error.code).toBe('CorrelationMissing');
    expect(error.facts).toEqual({ messageId: 'in-1', messageType: 'OrderPlaced', sagaName: 'OrderSaga' });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'a\ud800', 7n as unknown])(
    'does not take %p, which makes no safe key',
    async (value) => {
      const odd = defineSaga({
        ...definition,
        correlate: { OrderPlaced: () => value as string, CardCharged: () => '1' },
      });
      const error = await sagaboxErrorOf(odd.correlate(messageOf('OrderPlaced', {})));
      expect(error.code).toBe('CorrelationMissing');
    },
  );

  it.each([
    ['a number', '9007199254740993', (id: unknown) => id as number, 'body.orderId', '9007199254740993'],
    [
      'one that happens to be exact',
      '9007199254740992',
      (id: unknown) => id as number,
      'body.orderId',
      '9007199254740992',
    ],
    [
      'a part of a string',
      '9007199254740993',
      (id: unknown) => `order-${id}`,
      'body.orderId',
      '9007199254740993',
    ],
    ['what a string was made', '"9007199254740993"', Number, "what 'correlate' returns", '9007199254740992'],
  ])(
    'refuses an integer that JavaScript may have rounded: %s',
    async (_case, orderId, idOf, path, written) => {
      const rounding = defineSaga({
        ...definition,
        correlate: { OrderPlaced: ({ orderId: id }) => idOf(id), CardCharged: () => '1' },
      });
      const message = readEnvelope(
        sqsRecord({ id: 'in-1', type: 'OrderPlaced', rawBody: `{"orderId":${orderId}}` }),
      );
      const error = await sagaboxErrorOf(rounding.correlate(message));
      expect(error).toMatchObject({ code: 'CorrelationRounded', retryable: false, facts: { path, written } });
      expect(error.message).toContain('have its sender write it as a string');
    },
  );

  it('takes a message with such integers elsewhere', async () => {
    const rawBody = '{"orderId":"9007199254740993","total":9007199254740993,"rate":0.1234567890123456789}';
    const message = readEnvelope(sqsRecord({ type: 'OrderPlaced', rawBody }));
    expect((await saga.correlate(message)).identity.id).toBe('9007199254740993');
  });

  it('comes after the schema', async () => {
    const error = await sagaboxErrorOf(saga.correlate(messageOf('OrderPlaced', null)));
    expect(error.code).toBe('InvalidMessage');
  });
});

describe('the handler', () => {
  it('is that of the message type, and is awaited', async () => {
    const handled: string[] = [];
    const saga = defineSaga({
      ...definition,
      handlers: {
        async OrderPlaced(message) {
          await Promise.resolve();
          handled.push(message.type);
        },
        CardCharged: () => {},
      },
    });
    await saga.handler(messageOf('OrderPlaced', {}) as never, { saga: { name: 'OrderSaga' } } as never);
    expect(handled).toEqual(['OrderPlaced']);
  });

  it('refuses a message that it has no handler for', async () => {
    const context = { saga: { name: 'OrderSaga' } };
    const call = defineSaga(definition).handler(messageOf('Unheard', {}) as never, context as never);
    expect((await sagaboxErrorOf(call)).code).toBe('UnknownMessageType');
  });

  it.each([[{}], [{ saga: { name: 'ParcelSaga' } }]])('refuses to be called with %j', async (context) => {
    const call = defineSaga(definition).handler(messageOf('OrderPlaced', {}) as never, context as never);
    expect(await sagaboxErrorOf(call)).toMatchObject({
      code: 'Configuration',
      facts: {
        setting: "the handler of saga 'OrderSaga'",
        problem: 'it was called without its saga, or with another one',
        remedy: 'Wrap it: middy(saga.handler).use(sagaOutbox({ saga })), or use createHandler(saga)',
      },
    });
  });
});

it('is known to createHandler as a saga, by its name', () => {
  expect(defineSaga(definition)).toMatchObject({ kind: 'saga', name: 'OrderSaga' });
});

describe('a definition is refused', () => {
  const defineLoosely = defineSaga as (definition: object) => unknown;
  const oneOfEach = "Give one function for each type in 'messages'";
  const anOutbox =
    'Give embeddedOutbox() or embeddedOutbox({ withRecords: true }), or leave it out for outbox records';
  const oneStarter = "Give an array of at least one type of 'messages'";

  it.each([[undefined], [''], ['Order#Saga']])('with the name %j', (name) => {
    expect(() => defineLoosely({ ...definition, name })).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        facts: expect.objectContaining({ setting: 'defineSaga: name' }),
      }),
    );
  });

  it.each([
    ['messages', {}, 'no message type is given', 'Add a schema for each message type that it handles'],
    ['handlers', { OrderPlaced() {} }, 'it has no function for CardCharged', oneOfEach],
    ['correlate', { OrderPlaced: () => '1' }, 'it has no function for CardCharged', oneOfEach],
    ['startedBy', ['OrderPlaced', 'Odd', 'Stray'], "Odd, Stray is not in 'messages'", oneStarter],
    ['startedBy', 'OrderPlaced', 'no message type starts the saga', oneStarter],
    ['startedBy', [], 'no message type starts the saga', oneStarter],
    ['state', true, 'true is not an object', 'Use one'],
    ['coalesce', 'no', '"no" is not true or false', 'Use true or false'],
    ['outbox', 'none', 'it is "none"', anOutbox],
    ['outbox', 'records', 'it is "records"', anOutbox],
    ['outbox', 'embedded', 'it is "embedded"', anOutbox],
    ['outbox', 'both', 'it is "both"', anOutbox],
    ['outbox', { form: 'embedded' }, 'it is {"form":"embedded"}', anOutbox],
    [
      'startedby',
      ['OrderPlaced'],
      "there is no such setting (did you mean 'startedBy'?)",
      expect.any(String),
    ],
    ['compress', true, 'there is no such setting', 'Rename it, or leave it out'],
    ['startedBy', undefined, 'no message type starts the saga', oneStarter],
    [
      'initialState',
      {},
      'it is a value of type object',
      'Give a function that returns a new object, as in () => ({ count: 0 })',
    ],
    [
      'initialState',
      () => definition,
      'it returned the same object twice',
      'Make the object inside of it, as in () => ({ count: 0 })',
    ],
    ...sharedParts.map(
      ([path, initialState]) =>
        [
          'initialState',
          initialState,
          `${path} is the same object in each new state`,
          'Make it inside of the function, copy it (structuredClone), or freeze it',
        ] as const,
    ),
  ])('for its %s, with the name of the saga, the problem and the remedy', (part, given, problem, remedy) => {
    expect(() => defineLoosely({ ...definition, [part]: given })).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        facts: { setting: `defineSaga 'OrderSaga': ${part}`, problem, remedy },
      }),
    );
  });

  it.each([
    [{ compress: 'yes' }, 'state.compress', '"yes" is not true or false'],
    [{ compressed: true }, 'state.compressed', 'there is no such setting'],
  ])('for its state options %j', (state, setting, problem) => {
    expect(() => defineLoosely({ ...definition, state })).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        facts: expect.objectContaining({
          setting: `defineSaga 'OrderSaga': ${setting}`,
          problem: expect.stringContaining(problem),
        }),
      }),
    );
  });
});

it.each([
  [undefined, 'not compressed'],
  [{}, 'not compressed'],
  [{ compress: undefined }, 'not compressed'],
  [{ compress: false }, 'not compressed'],
  [{ compress: true }, 'compressed'],
])('a state with the options %j is %s', (state, result) => {
  const compressesState = result === 'compressed';
  expect(defineSaga({ ...definition, ...(state && { state: state as object }) })).toMatchObject({
    compressesState,
  });
});
