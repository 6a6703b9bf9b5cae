import { beforeEach, describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import type { SQSRecord } from 'aws-lambda';
import {
  defineSaga,
  type HandlerContext,
  type IncomingMessage,
  type MessageReport,
  SagaboxError,
  type SqsBatchOptions,
  sagaOutbox,
  UnrecoverableError,
} from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { object, string } from 'valibot';
import { configureFailureHandling } from '../../lib/compose/configure-failure-handling.ts';
import { batchHandler, type MessageHandler } from '../../lib/compose/handler/batch-handler.ts';
import { throughContext } from '../../lib/compose/handler/outbox-middleware.ts';
import type { ClaimChecks } from '../../lib/sending/claim-check/claim-checks.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { record } from '../support/queue.ts';
import { waitUntil } from '../support/wait-until.ts';

const TOTAL_MS = 30_000;

/** Middy would end an invocation by the clock of the machine. */
const untimed = { timeoutEarlyInMillis: 0 };

let memory: ReturnType<typeof memoryPorts>;
let reports: MessageReport[];
let log: unknown[];
let elapsedMs: number;
let timers: Map<() => void, number>;

beforeEach(() => {
  memory = memoryPorts('mail');
  [reports, log, elapsedMs, timers] = [[], [], 0, new Map()];
});

/** Lets the invocation's time pass. */
async function pass(durationMs: number): Promise<void> {
  elapsedMs += durationMs;
  const nextDue = () => [...timers].find(([, dueMs]) => dueMs <= elapsedMs);
  for (let due = nextDue(); due; due = nextDue()) {
    timers.delete(due[0]);
    due[0]();
  }
  await settled();
}

/** A call that gets no answer. */
const never = () => new Promise<never>(() => {});

const settled = async () => await new Promise(setImmediate);

const logger = {
  ...silentLogger,
  warn: (_: string, { code }: Record<string, unknown>) => void log.push(code),
  error: (_: string, { code }: Record<string, unknown>) => void log.push(code),
};

function outbox(saga?: Parameters<typeof sagaOutbox>[0]) {
  return sagaOutbox({
    endpoint: 'mail',
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    ports: memory.ports,
    ...saga,
  });
}

/** One invocation, whose returned records are told as soon as it ends. */
function invoke(handler: MessageHandler, records: SQSRecord[], options: SqsBatchOptions = {}) {
  const result: { returned?: (string | undefined)[] } = {};
  const context = { ...lambdaContext(), getRemainingTimeInMillis: () => TOTAL_MS - elapsedMs };
  const ofBatch = { logger, throwOnFullBatchFailure: false, ...options };
  const batch = batchHandler(throughContext(handler), ofBatch, {
    configure: (retries) => configureFailureHandling(ofBatch, retries),
    startTimer: (delayMs, callback) => {
      timers.set(callback, elapsedMs + delayMs);
      return () => void timers.delete(callback);
    },
  });
  const done = batch({ Records: records }, context).then(({ batchItemFailures }) => {
    const ids = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    result.returned = records
      .filter(({ messageId }) => ids.includes(messageId))
      .map(({ messageAttributes }) => messageAttributes['Sagabox.MessageId']?.stringValue);
  });
  return { result, done };
}

/** The invocation ends after so long, and not a millisecond earlier, and returns these. */
async function endsAfter(
  durationMs: number,
  { result, done }: ReturnType<typeof invoke>,
  returned = ['m1'],
): Promise<void> {
  await settled();
  await pass(durationMs - 1);
  expect(result.returned).toBeUndefined();
  await pass(1);
  await done;
  expect(result.returned).toEqual(returned);
}

const welcome = (id: string, counter = id) => record('Welcome', { counter }, id);

/** A saga that no message of these tests starts. */
function waitingSaga(validate?: () => Promise<never>) {
  const schema = object({ counter: string() });
  const standard = validate ? { ...schema['~standard'], validate } : schema['~standard'];
  return defineSaga({
    name: 'Waiting',
    messages: { Welcome: { '~standard': standard }, Start: object({}) },
    correlate: { Welcome: ({ counter }) => counter, Start: () => 'none' },
    startedBy: ['Start'],
    initialState: () => ({}),
    handlers: { Welcome() {}, Start() {} },
  });
}

/** A call that ends with its signal only. */
async function cutOff(_: unknown, signal?: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  throw new SagaboxError('ClaimCheckFailed', { operation: 'GetObject', detail: 'aborted' });
}

/** A handler that ends when the test says so. */
function heldHandler() {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const contexts: HandlerContext[] = [];
  const handle = async (message: IncomingMessage, context: HandlerContext) => {
    const end = Promise.withResolvers<void>();
    ends.set(message.id, end);
    contexts.push(context);
    await end.promise;
  };
  const started = () => [...ends.keys()];
  return { handle, started, end: (id: string) => ends.get(id)?.resolve(), ends, contexts };
}

describe('near the end of an invocation', () => {
  it.each([
    [27_999, ['m1', 'm2']],
    [28_000, ['m1']],
  ])('after %i ms, these are started: %j', async (durationMs, started) => {
    const held = heldHandler();
    const { result, done } = invoke(
      middy(held.handle, untimed).use(outbox()),
      [welcome('m1'), welcome('m2')],
      {
        concurrency: 1,
      },
    );
    await settled();
    await pass(durationMs);
    held.end('m1');
    await settled();
    expect(held.started()).toEqual(started);
    held.end('m2');
    await done;
    expect(result.returned).toEqual(started.includes('m2') ? [] : ['m2']);
    expect(log).toEqual(started.includes('m2') ? [] : ['InvocationTimeout']);
    expect(timers.size).toBe(0);
  });

  it('a message that waited for another one of its saga is not started', async () => {
    const held = heldHandler();
    const counterSaga = defineSaga({
      name: 'Counter',
      messages: { Welcome: object({ counter: string() }) },
      correlate: { Welcome: ({ counter }) => counter },
      startedBy: ['Welcome'],
      initialState: () => ({ count: 0 }),
      handlers: {
        async Welcome(message, context) {
          context.saga.state.count += 1;
          await held.handle(message, context);
        },
      },
    });
    const handler = middy(counterSaga.handler as never, untimed).use(outbox({ saga: counterSaga }) as never);
    const { result, done } = invoke(handler as never, [welcome('m1', '7'), welcome('m2', '7')]);
    await settled();
    expect(held.started()).toEqual(['m1']);
    await pass(28_000);
    held.end('m1');
    await done;
    expect(result.returned).toEqual(['m2']);
    expect(held.started()).toEqual(['m1']);
  });

  it('a running handler hears of it', async () => {
    const held = heldHandler();
    const { done } = invoke(middy(held.handle, untimed).use(outbox()), [welcome('m1')]);
    await settled();
    const { signal } = held.contexts[0] as HandlerContext;
    await pass(28_999);
    expect(signal.aborted).toBe(false);
    await pass(1);
    expect(signal.reason).toMatchObject({ code: 'InvocationTimeout', facts: { messageId: 'm1' } });
    held.end('m1');
    await done;
    expect(memory.storage.records.size).toBe(1);
  });

  it('a handler that goes on is given up, and what it does later is not committed', async () => {
    const held = heldHandler();
    const invocation = invoke(middy(held.handle, untimed).use(outbox()), [welcome('m1'), welcome('m2')]);
    await settled();
    held.end('m2');
    await endsAfter(29_500, invocation);
    expect(log).toEqual(['InvocationTimeout']);
    expect(reports.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
      ['m2', 'handled'],
      ['m1', 'failed'],
    ]);
    held.end('m1');
    await settled();
    expect(memory.storage.records.size).toBe(1);
    expect(reports).toHaveLength(2);
    expect(() => held.contexts[0]?.send('mail', 'Late', {})).toThrow(/already returned/);
  });

  it('a handler that fails after it was given up is reported once', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await endsAfter(29_500, invoke(middy(() => promise, untimed).use(outbox()), [welcome('m1')]));
    reject(new Error('too late'));
    await settled();
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it('a commit that gets no answer is waited for no longer, and the next delivery finds it', async () => {
    const answer = Promise.withResolvers<void>();
    const { committer } = memory.ports;
    const commit = committer.commit.bind(committer);
    committer.commit = async (writes) => {
      await answer.promise;
      await commit(writes);
    };
    const handler = middy(async () => {}, untimed).use(outbox());
    await endsAfter(29_500, invoke(handler, [welcome('m1')]));
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
    answer.resolve();
    await settled();
    elapsedMs = 0;
    await invoke(handler, [welcome('m1')]).done;
    expect(reports.at(-1)?.outcome).toBe('duplicate');
  });

  it('one read that gets no answer keeps no finished message from its end', async () => {
    let finds = 0;
    const { outbox: store } = memory.ports;
    const find = store.find.bind(store);
    store.find = async (id) => (finds++ === 0 ? await never() : await find(id));
    const records = Array.from({ length: 10 }, (_, index) => welcome(`m${index + 1}`));
    await endsAfter(29_000, invoke(middy(async () => {}, untimed).use(outbox()), records));
  });

  it('a message whose saga is still being loaded does not reach its handler', async () => {
    memory.ports.sagas.load = never;
    const held = heldHandler();
    const handler = middy(held.handle, untimed).use(outbox({ saga: waitingSaga() }) as never);
    await endsAfter(29_000, invoke(handler, [welcome('m1')]));
    expect(held.started()).toEqual([]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it.each<[string, Record<string, string>, Partial<Record<'load' | 'store', ClaimChecks['load']>>]>([
    ['fetched', { 'Sagabox.ClaimCheck': 'claims/a' }, { load: cutOff }],
    ['stored', {}, { store: cutOff as never }],
  ])('a body that is still being %s is waited for no longer', async (_what, headers, claimChecks) => {
    const idle = {
      load: async (message: IncomingMessage) => message,
      store: async (all: unknown) => all,
    };
    const withClaims = { ...memory.ports, claimChecks: { ...idle, ...claimChecks } as ClaimChecks };
    const good = middy(async () => {}, untimed).use(outbox());
    const slow = middy(async () => {}, untimed).use(outbox({ ports: withClaims }));
    const handlers: Record<string, MessageHandler> = { good: good as never, slow: slow as never };
    const route = async (message: IncomingMessage, context: unknown) =>
      await handlers[message.id]?.(message as never, context as never);
    const claimed = sqsRecord({ type: 'Welcome', body: { counter: '7' }, id: 'slow', headers });
    await endsAfter(29_000, invoke(route, [claimed, welcome('good')]), ['slow']);
  });

  it('what is sent immediately, and gets no answer, is waited for no longer', async () => {
    memory.dispatcher.dispatch = never;
    const destinations = { billing: 'https://queues.test/billing' };
    const handle = async (_: IncomingMessage, { sendImmediately }: HandlerContext) =>
      await sendImmediately('billing', 'Progress', {});
    await endsAfter(29_500, invoke(middy(handle, untimed).use(outbox({ destinations })), [welcome('m1')]));
  });

  it.each<[string, Parameters<typeof sagaOutbox>[0]]>([
    ['a schema', { saga: waitingSaga(never) }],
    ['onSagaNotFound', { saga: waitingSaga(), onSagaNotFound: never }],
  ])('%s that does not answer before the handler is waited for no longer', async (_name, options) => {
    const handler = middy(async () => {}, untimed).use(outbox(options) as never);
    await endsAfter(29_000, invoke(handler as never, [welcome('m1'), welcome('m2')]), ['m1', 'm2']);
    expect(log).toEqual(['InvocationTimeout', 'InvocationTimeout']);
    expect(timers.size).toBe(0);
  });

  it.each<[string, Parameters<typeof sagaOutbox>[0]]>([
    ['onMessage', { onMessage: never }],
    ['onEvent', { onEvent: never }],
  ])('%s that does not answer keeps no invocation from its end', async (name, options) => {
    let attempts = 0;
    const handle = async () => {
      attempts += 1;
      if (name === 'onEvent' && attempts === 1)
        throw new SagaboxError('TransactionConflict', { item: 'a test' });
    };
    const invocation = invoke(middy(handle, untimed).use(outbox(options)), [welcome('m1')], options);
    // It has taken the time of the retry that it was told of.
    await endsAfter(29_250, invocation, name === 'onEvent' ? ['m1'] : []);
    expect(memory.storage.records.size).toBe(name === 'onEvent' ? 0 : 1);
  });

  it('a recoverability policy that does not answer leaves the decision to the default one', async () => {
    const handle = async () => {
      throw new Error('a bug');
    };
    const recoverability = { policy: never };
    await endsAfter(
      29_750,
      invoke(middy(handle, untimed).use(outbox()), [welcome('m1')], { recoverability }),
    );
    expect(log).toEqual(['Configuration', 'Error']);
  });

  it('a plain handler, without the outbox, is given up as well', async () => {
    await endsAfter(29_500, invoke(never, [welcome('m1')]));
    expect(log).toEqual(['InvocationTimeout']);
  });
});

describe('SQS that does not answer', () => {
  it.each([
    ['ChangeMessageVisibilityBatch', new Error('a bug')],
    ['SendMessage', new UnrecoverableError('the card was stolen')],
  ])('to %s keeps no invocation from its end', async (operation, error) => {
    const client = sqsClient();
    const faults = new ClientFaults(client);
    faults.plan(operation, never);
    const handler = async () => {
      throw error;
    };
    const { result, done } = invoke(handler, [welcome('m1')], {
      queueUrl: 'https://queues.test/queue',
      errorQueueUrl: 'https://queues.test/errors',
      sqsClient: client,
    });
    await waitUntil(() => faults.operations.includes(operation));
    await pass(29_749);
    expect(result.returned).toBeUndefined();
    // The message that could not be forwarded is returned, and its delay asked for: there is no time for that
    // either.
    await pass(1);
    await done;
    client.destroy();
    expect(result.returned).toEqual(['m1']);
    expect(timers.size).toBe(0);
  });
});

it('a handler outside of sqsBatch has a signal too', async () => {
  const signals: unknown[] = [];
  const handler = middy(
    async (_: IncomingMessage, { signal }: HandlerContext) => void signals.push(signal),
    untimed,
  );
  await handler.use(outbox())(welcome('m1') as never, {} as never);
  expect(signals).toEqual([expect.any(AbortSignal)]);
});

it('a message of a saga outside of sqsBatch is not started with too little time', async () => {
  let remainingMs = 3000;
  let runs = 0;
  const saga = defineSaga({
    name: 'Slow',
    messages: { Welcome: object({}) },
    correlate: {
      Welcome: () => {
        remainingMs = 100;
        return '1';
      },
    },
    startedBy: ['Welcome'],
    initialState: () => ({}),
    handlers: {
      Welcome: () => {
        runs += 1;
      },
    },
  });
  const handler = middy(saga.handler, untimed).use(outbox({ saga }));
  const context = { ...lambdaContext(), getRemainingTimeInMillis: () => remainingMs };
  await expect(handler(welcome('m1') as never, context as never)).rejects.toMatchObject({
    code: 'InvocationTimeout',
  });
  expect([runs, reports]).toEqual([0, []]);
});
