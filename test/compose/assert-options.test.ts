import { describe, expect, it } from '@jest/globals';
import {
  createHandler,
  defineHandlers,
  defineSaga,
  outboxSession,
  relayOutbox,
  SagaboxError,
  sagaOutbox,
  sqsBatch,
} from 'sagabox';
import { z } from 'zod';
import {
  createHandlerChecks,
  relayOutboxChecks,
  sagaOutboxChecks,
  sqsBatchChecks,
} from '../../lib/compose/assert-options.ts';
import type { ErrorFacts } from '../../lib/kernel/errors/errors.ts';

const handlers = defineHandlers({ messages: { Paid: z.unknown() }, handlers: { Paid() {} } });
const saga = defineSaga({
  name: 'Order',
  messages: { Placed: z.object({ id: z.string() }) },
  correlate: { Placed: ({ id }) => id },
  startedBy: ['Placed'],
  initialState: () => ({}),
  handlers: { Placed() {} },
});

const method = () => {};

/** The options that each of them has. */
const known: Record<string, object> = {
  sagaOutbox: sagaOutboxChecks,
  sqsBatch: sqsBatchChecks,
  createHandler: createHandlerChecks,
  relayOutbox: relayOutboxChecks,
};

/** Everything that takes options of an endpoint with messages, without an environment. */
const makers: Record<string, (options: never) => unknown> = {
  sagaOutbox,
  sqsBatch: (options) => sqsBatch(() => {}, options),
  createHandler: (options) => createHandler(handlers, options),
  relayOutbox,
};

function factsOf(make: () => unknown): ErrorFacts['Configuration'] | undefined {
  try {
    make();
  } catch (error) {
    if (error instanceof SagaboxError && error.code === 'Configuration') return error.facts as never;
    throw error;
  }
  return undefined;
}

const logger = { info: method, warn: method, error: method };

const wrong: [string, unknown, string][] = [
  ['endpoint', '', 'cannot be part of a key'],
  ['endpoint', 'a#b', 'cannot be part of a key'],
  ['endpoint', 5, 'cannot be part of a key'],
  ['sagaTable', 'orders', '"orders" is not an object'],
  ['outboxTable', { tableName: 5 }, '5 is not a string'],
  [
    'outboxTable',
    { tableName: 'a', partitionKey: 'PK' },
    "there is no such setting (did you mean 'partitionKeyName'?)",
  ],
  ['outboxTable', { tableName: 'a', sortKeyName: '' }, '"" is not a non-empty string'],
  ['outboxTable', { tableName: 'a', sortKeyName: 'PK' }, 'names two attributes'],
  ['sagaTable', { partitionKeyName: 'state' }, 'stores something else'],
  ['destinations', [], 'it is not an object'],
  ['destinations', { billing: 'billing' }, 'the address of \'billing\' is "billing"'],
  ['publishTo', 5, 'neither a name nor an object of names'],
  ['publishTo', { '*': 5 }, 'neither a name nor an object of names'],
  ['messageFormat', 'json', 'it is "json"'],
  ['scheduler', true, 'true is not an object'],
  ['scheduler', { groupName: 'a', roleArn: 'role' }, 'its role is no ARN'],
  [
    'scheduler',
    { groupName: 'a', roleArn: 'arn:a', deadLetterArn: 5 },
    '5 is not the ARN of a standard queue',
  ],
  ['claimCheck', 'bucket', '"bucket" is not an object'],
  ['claimCheck', { bucketName: 'a', thresholdBytes: -1 }, '-1 is not a positive number'],
  [
    'claimCheck',
    { bucketName: 'a', threshold: 1 },
    "there is no such setting (did you mean 'thresholdBytes'?)",
  ],
  ['outbox', 0, '0 is not true or false'],
  ['locking', 'pessimistic', '"pessimistic" is not an object'],
  ['locking', null, 'null is not an object'],
  ['locking', { mode: 'none' }, '"none" is no mode'],
  ['deduplicationPeriod', { mins: 5 }, "'mins' is no unit of time"],
  ['deduplicationPeriod', 600, '600 is no duration'],
  ['mapper', {}, 'it lacks toAttributes, fromAttributes'],
  ['mapper', { toAttributes: method }, 'it lacks fromAttributes'],
  ['sagaStore', { load: method }, 'it lacks writesOf'],
  // Without types one could forget it, and lose timeouts.
  ['sagaStore', { load: method, writesOf: method }, 'undefined is not true or false'],
  ['dynamoDBClient', {}, 'it lacks send'],
  ['sqsClient', 'client', '"client" is not an object'],
  ['snsClient', null, 'null is not an object'],
  ['eventBridgeClient', [], '[] is not an object'],
  ['schedulerClient', { send: 5 }, 'it lacks send'],
  ['s3Client', 5, '5 is not an object'],
  ['logger', { ...logger, warn: undefined }, 'it lacks warn'],
  ['logger', method, 'a value of type function is not an object'],
  ['metrics', {}, 'it lacks addMetric'],
  ['onMessage', {}, '{} is not a function'],
  ['onEvent', 'log', '"log" is not a function'],
  ['onSagaNotFound', true, 'true is not a function'],
  ['parse', {}, '{} is not a function'],
  ['defaultMessageType', 5, '5 is not a non-empty string'],
  ['handleReplays', 'yes', '"yes" is not true or false'],
  ['ports', { sagas: {}, outbox: {}, committer: {}, dispatcher: {} }, 'it lacks clock'],
  ['saga', {}, 'it is not what defineSaga returns'],
  ['saga', handlers, 'it is not what defineSaga returns'],
  ['recoverability', 'none', '"none" is not an object'],
  [
    'recoverability',
    { retries: 5 },
    "there is no such setting (did you mean 'delayedRetries' or 'immediateRetries'?)",
  ],
  ['recoverability', { policy: 'ignore' }, '"ignore" is not a function'],
  ['recoverability', { immediateRetries: 5 }, '5 is not an object'],
  [
    'recoverability',
    { immediateRetries: { retries: 5 } },
    "there is no such setting (did you mean 'maxRetries'?)",
  ],
  ['recoverability', { delayedRetries: { baseDelay: '5' } }, '"5" is no duration'],
  ['timeMargins', { begin: 5 }, "there is no such setting (did you mean 'start' or 'abort' or 'giveUp'?)"],
  ['timeMargins', { start: '5000' }, '"5000" is no duration'],
  ['includePostponed', 'yes', '"yes" is not true or false'],
  ['onRelayed', {}, '{} is not a function'],
];

describe.each(Object.entries(makers))('the options of %s', (of, make) => {
  it.each(wrong.filter(([name]) => name in Object(known[of])))(
    'refuse %s of %j when the handler is made',
    (name, value, problem) => {
      const facts = factsOf(() => make({ [name]: value } as never));
      expect(facts?.problem).toContain(problem);
      expect(facts?.setting).toContain(name);
    },
  );

  it.each([...new Set(wrong.map(([name]) => name))].filter((name) => !(name in Object(known[of]))))(
    'refuse %s, and say whose it is',
    (name) => {
      const facts = factsOf(() => make({ [name]: method } as never));
      expect(facts?.setting).toBe(name);
      const takers = Object.keys(known).filter((taker) => name in Object(known[taker]));
      for (const taker of takers) expect(facts?.problem).toContain(taker);
      expect(facts?.problem).toMatch(/^it is no option here, but of /);
    },
  );

  it.each<[string, string]>([
    ['endpiont', "there is no such setting (did you mean 'endpoint'?)"],
    ['idempotencyKey', 'it is no option here, but of outboxSession'],
    ['toString', 'there is no such setting'],
  ])('refuse %s', (name, problem) => {
    expect(factsOf(() => make({ [name]: method } as never))?.problem).toContain(problem);
  });

  it.each([null, 'options', 5, []])('are an object, and not %j', (options) => {
    expect(factsOf(() => make(options as never))).toMatchObject({
      setting: `the options of ${of}`,
      problem: `${JSON.stringify(options)} is not an object`,
    });
  });

  it.each([
    undefined,
    {},
    { endpoint: undefined, logger: undefined, saga: undefined, locking: undefined },
    { logger, metrics: { addMetric: method }, outbox: false, parse: method, saga },
    {
      logger: console,
      timeMargins: { start: { milliseconds: 5000 } },
      recoverability: { immediateRetries: {} },
    },
    { destinations: { billing: undefined }, publishTo: { '*': undefined } },
    { sagaTable: { tableName: undefined }, outboxTable: { tableName: '' } },
    { scheduler: { groupName: undefined, roleArn: 'arn:a' }, claimCheck: { bucketName: undefined } },
  ])('may be those of %p that it has, where no environment is set', (options) => {
    const own = Object.entries(options ?? {}).filter(([name]) => name in Object(known[of]));
    expect(factsOf(() => make((options && Object.fromEntries(own)) as never))).toBeUndefined();
  });
});

it.each([
  ['sqsBatch', { concurrency: 0 }, '0 is not a whole number'],
  ['sqsBatch', { concurrency: '5' }, '"5" is not a whole number'],
  ['sqsBatch', { errorQueueUrl: 'errors' }, '"errors" is no URL'],
  ['sqsBatch', { queueUrl: 5 }, '5 is no URL'],
  ['sqsBatch', { maxReceiveCount: 0 }, '0 is not a whole number'],
  ['sqsBatch', { timeMargins: { giveUp: { milliseconds: 1500 } } }, 'are not in this order'],
  ['relayOutbox', { olderThan: { min: 5 } }, "'min' is no unit of time"],
  ['relayOutbox', { leaseDuration: 5 }, '5 is no duration'],
  ['relayOutbox', { strategy: 'query' }, 'it is "query"'],
  ['relayOutbox', { segments: 0 }, '0 is not a whole number'],
  ['relayOutbox', { maxReadUnitsPerSecond: '5' }, '"5" is not a positive number'],
])('%s refuses %j when the handler is made', (of, options, problem) => {
  expect(factsOf(() => makers[of]?.(options as never))?.problem).toContain(problem);
});

it.each([
  [{ endpoint: 'billing', deduplicationPeriod: { days: 3 }, includePostponed: true }, 'includePostponed'],
  [{ endpoint: 'billing', destination: {} }, 'destination'],
  [{ endpoint: 'billing', deduplicationPeriod: {} }, 'deduplicationPeriod'],
])('an endpoint of a relay refuses what is wrong in %j', (endpoint, setting) => {
  expect(factsOf(() => relayOutbox({ endpoints: [endpoint] } as never))?.setting).toBe(setting);
});

it('all that is wrong with options is told at once', () => {
  const options = { endpiont: 'orders', outbox: 'no', timeMargins: { start: 5 }, saga };
  expect(factsOf(() => createHandler(handlers, options as never))).toEqual({
    setting: 'the options of createHandler',
    problem:
      "endpiont: there is no such setting (did you mean 'endpoint'?). Rename it, or leave it out. " +
      'outbox: "no" is not true or false. Use true or false. ' +
      'timeMargins.start: 5 is no duration such as { minutes: 5 }. Use one. ' +
      'saga: it is no option here, but of sagaOutbox. Leave it out',
    remedy: 'See docs/reference/options.md',
  });
});

it('createHandler refuses the saga that its definition is', () => {
  expect(factsOf(() => createHandler(handlers, { saga } as never))).toMatchObject({
    setting: 'saga',
    problem: 'it is no option here, but of sagaOutbox',
  });
});

it.each([
  [{ locking: { mode: 'pessimistic' } }, 'locking'],
  [{ saga }, 'saga'],
  [{ outbox: false }, 'outbox'],
  [{ concurrency: 5 }, 'concurrency'],
  [{ requireIdempotencyKey: true }, 'requireIdempotencyKey'],
])('outboxSession refuses %p, which no session has a use for', (options, setting) => {
  expect(factsOf(() => outboxSession(options as never))?.setting).toBe(setting);
});

it.each([undefined, null, {}, [], [handlers, undefined], { kind: 'saga' }, method])(
  'createHandler refuses %p in place of definitions',
  (definitions) => {
    expect(factsOf(() => createHandler(definitions as never))).toMatchObject({
      setting: 'createHandler',
      remedy: 'Pass what defineSaga or defineHandlers returns',
    });
  },
);

it.each([undefined, null, {}, 'handler'])('sqsBatch refuses %p in place of a handler', (handler) => {
  expect(factsOf(() => sqsBatch(handler as never))?.setting).toBe('sqsBatch');
});

it.each([undefined, null, {}, { name: 'Order' }])('defineSaga and defineHandlers refuse %p', (definition) => {
  expect(factsOf(() => defineSaga(definition as never))).toBeDefined();
  expect(factsOf(() => defineHandlers(definition as never))).toBeDefined();
});

it('defineHandlers refuses a setting of a saga', () => {
  const definition = { messages: { Paid: z.unknown() }, handlers: { Paid() {} }, startedBy: ['Paid'] };
  expect(factsOf(() => defineHandlers(definition))).toEqual({
    setting: 'defineHandlers: startedBy',
    problem: 'there is no such setting',
    remedy: 'Rename it, or leave it out',
  });
});

it('one module may make several handlers, some of them wrong', () => {
  expect(factsOf(() => createHandler(handlers, { outbox: 'no' } as never))).toBeDefined();
  expect(factsOf(() => createHandler(saga))).toBeUndefined();
  expect(factsOf(() => createHandler(handlers, { outbox: 'no' } as never))).toBeDefined();
});
