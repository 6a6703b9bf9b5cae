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
import { MemoryCommitter } from '../../lib/adapters/memory/committer.ts';
import { MemoryDispatcher } from '../../lib/adapters/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaStore } from '../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/adapters/memory/storage.ts';
import type { Commit } from '../../lib/core/outbox/commit.ts';
import type { SagaWrite } from '../../lib/core/saga/saga-state.ts';
import { batchHandler, type MessageHandler } from '../../lib/middleware/batch-handler.ts';
import { configureFailureHandling } from '../../lib/middleware/configure-failure-handling.ts';
import type { ClaimChecks } from '../../lib/ports.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { record } from '../support/queue.ts';
import { waitUntil } from '../support/wait-until.ts';

const TOTAL_MS = 30_000;

let storage: MemoryStorage;
let reports: MessageReport[];
let log: unknown[];
let elapsedMs: number;
let timers: Map<() => void, number>;
let beforeCommit: () => Promise<void>;
let beforeLoad: () => Promise<void>;

beforeEach(() => {
  storage = new MemoryStorage();
  [reports, log, elapsedMs, timers] = [[], [], 0, new Map()];
  beforeCommit = async () => {};
  beforeLoad = async () => {};
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

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

const logger = {
  ...silentLogger,
  warn: (_: string, { code }: Record<string, unknown>) => void log.push(code),
  error: (_: string, { code }: Record<string, unknown>) => void log.push(code),
};

function ports() {
  const sagas = new MemorySagaStore(storage);
  const committer = new MemoryCommitter({ storage, endpoint: 'mail' });
  return {
    sagas: {
      load: async (...args: Parameters<MemorySagaStore['load']>) => {
        await beforeLoad();
        return await sagas.load(...args);
      },
    },
    outbox: new MemoryOutboxStore(storage, 'mail'),
    committer: {
      keep: (write: SagaWrite) => committer.keep(write),
      commit: async (commit: Commit) => {
        await beforeCommit();
        await committer.commit(commit);
      },
    },
    dispatcher: new MemoryDispatcher(),
    clock: { now: () => new Date(), sleep: async () => {} },
  };
}

function outbox(saga?: Parameters<typeof sagaOutbox>[0]) {
  return sagaOutbox({
    endpoint: 'mail',
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    ports: ports() as never,
    ...saga,
  });
}

/** One invocation, whose returned records are told as soon as it ends. */
function invoke(handler: MessageHandler, records: SQSRecord[], options: SqsBatchOptions = {}) {
  const result: { returned?: (string | undefined)[] } = {};
  const context = { ...lambdaContext(), getRemainingTimeInMillis: () => TOTAL_MS - elapsedMs };
  const ofBatch = { logger, throwOnFullBatchFailure: false, ...options };
  const batch = batchHandler(handler, ofBatch, {
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

/** The invocation ends after so long, and not a millisecond earlier. */
async function endsAfter(durationMs: number, { result, done }: ReturnType<typeof invoke>): Promise<void> {
  await settled();
  await pass(durationMs - 1);
  expect(result.returned).toBeUndefined();
  await pass(1);
  await done;
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
  return {
    handle,
    started: () => [...ends.keys()],
    end: (id: string) => ends.get(id)?.resolve(),
    ends,
    contexts,
  };
}

describe('near the end of an invocation', () => {
  it.each([
    [27_999, ['m1', 'm2']],
    [28_000, ['m1']],
  ])('after %i ms, these are started: %j', async (durationMs, started) => {
    const held = heldHandler();
    const { result, done } = invoke(middy(held.handle).use(outbox()), [welcome('m1'), welcome('m2')], {
      concurrency: 1,
    });
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
    const handler = middy(counterSaga.handler as never).use(outbox({ saga: counterSaga }) as never);
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
    const { done } = invoke(middy(held.handle).use(outbox()), [welcome('m1')]);
    await settled();
    const { signal } = held.contexts[0] as HandlerContext;
    await pass(28_999);
    expect(signal.aborted).toBe(false);
    await pass(1);
    expect(signal.reason).toMatchObject({ code: 'InvocationTimeout', facts: { messageId: 'm1' } });
    held.end('m1');
    await done;
    expect(storage.records.size).toBe(1);
  });

  it('a handler that goes on is given up, and what it does later is not committed', async () => {
    const held = heldHandler();
    const { result, done } = invoke(middy(held.handle).use(outbox()), [welcome('m1'), welcome('m2')]);
    await settled();
    held.end('m2');
    await settled();
    await pass(29_500);
    await done;

    expect(result.returned).toEqual(['m1']);
    expect(log).toEqual(['InvocationTimeout']);
    expect(reports.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
      ['m2', 'handled'],
      ['m1', 'failed'],
    ]);
    held.end('m1');
    await settled();
    expect(storage.records.size).toBe(1);
    expect(reports).toHaveLength(2);
    expect(() => held.contexts[0]?.send('mail', 'Late', {})).toThrow(/already returned/);
  });

  it('a handler that fails after it was given up is reported once', async () => {
    const held = heldHandler();
    const { done } = invoke(middy(held.handle).use(outbox()), [welcome('m1')]);
    await settled();
    await pass(29_500);
    await done;
    held.ends.get('m1')?.reject(new Error('too late'));
    await settled();
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  it('a commit that gets no answer is waited for no longer, and the next delivery finds it', async () => {
    const commit = Promise.withResolvers<void>();
    beforeCommit = async () => await commit.promise;
    const handler = middy(async () => {}).use(outbox());
    const { result, done } = invoke(handler, [welcome('m1')]);
    await endsAfter(29_500, { result, done });
    expect(result.returned).toEqual(['m1']);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
    commit.resolve();
    await settled();
    elapsedMs = 0;
    await invoke(handler, [welcome('m1')]).done;
    expect(reports.at(-1)?.outcome).toBe('duplicate');
  });

  it('one read that gets no answer keeps no finished message from its end', async () => {
    let finds = 0;
    const { outbox: store, ...others } = ports();
    const find = async (id: string) =>
      finds++ === 0 ? await new Promise<never>(() => {}) : await store.find(id);
    const deaf = { ...others, outbox: { ...store, find, markDispatched: async () => {} } };
    const ids = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9', 'm10'];
    const { result, done } = invoke(
      middy(async () => {}).use(outbox({ ports: deaf as never })),
      ids.map((id) => welcome(id)),
    );
    await endsAfter(29_000, { result, done });
    expect(result.returned).toEqual(['m1']);
  });

  it('a message whose saga is still being loaded does not reach its handler', async () => {
    beforeLoad = async () => await new Promise(() => {});
    const held = heldHandler();
    const saga = {
      kind: 'saga',
      name: 'Counter',
      initialState: () => ({}),
      correlate: async (message: IncomingMessage) => ({
        message,
        identity: { name: 'Counter', id: '7' },
        starts: true,
      }),
    };
    const { result, done } = invoke(middy(held.handle).use(outbox({ saga: saga as never })), [welcome('m1')]);
    await settled();
    await pass(29_000);
    await done;
    expect(result.returned).toEqual(['m1']);
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
    const withClaims = { ...ports(), claimChecks: { ...idle, ...claimChecks } as ClaimChecks };
    const good = middy(async () => {}).use(outbox());
    const slow = middy(async () => {}).use(outbox({ ports: withClaims }));
    const handlers: Record<string, MessageHandler> = { good: good as never, slow: slow as never };
    const route = async (message: IncomingMessage, context: unknown) =>
      await handlers[message.id]?.(message as never, context as never);
    const claimed = sqsRecord({ type: 'Welcome', body: { counter: '7' }, id: 'slow', headers });
    const { result, done } = invoke(route, [claimed, welcome('good')]);
    await endsAfter(29_000, { result, done });
    expect(result.returned).toEqual(['slow']);
  });

  it('what is sent immediately, and gets no answer, is waited for no longer', async () => {
    const deaf = { ...ports(), dispatcher: { dispatch: () => new Promise<void>(() => {}) } };
    const handle = async (_: IncomingMessage, { sendImmediately }: HandlerContext) =>
      await sendImmediately('billing', 'Progress', {});
    const { result, done } = invoke(middy(handle).use(outbox({ ports: deaf })), [welcome('m1')]);
    await settled();
    await pass(29_500);
    await done;
    expect(result.returned).toEqual(['m1']);
  });

  it.each<[string, Parameters<typeof sagaOutbox>[0]]>([
    ['a schema', { saga: waitingSaga(() => new Promise(() => {})) }],
    ['onSagaNotFound', { saga: waitingSaga(), onSagaNotFound: () => new Promise(() => {}) }],
  ])('%s that does not answer before the handler is waited for no longer', async (_name, options) => {
    const handler = middy(async () => {}).use(outbox(options) as never);
    const { result, done } = invoke(handler as never, [welcome('m1'), welcome('m2')]);
    await endsAfter(29_000, { result, done });
    expect(result.returned).toEqual(['m1', 'm2']);
    expect(log).toEqual(['InvocationTimeout', 'InvocationTimeout']);
    expect(timers.size).toBe(0);
  });

  it.each<[string, Parameters<typeof sagaOutbox>[0]]>([
    ['onMessage', { onMessage: () => new Promise(() => {}) }],
    ['onEvent', { onEvent: () => new Promise(() => {}) }],
  ])('%s that does not answer keeps no invocation from its end', async (name, options) => {
    let attempts = 0;
    const handle = async () => {
      attempts += 1;
      if (name === 'onEvent' && attempts === 1)
        throw new SagaboxError('TransactionConflict', { item: 'a test' });
    };
    const { result, done } = invoke(middy(handle).use(outbox(options)), [welcome('m1')], options);
    await settled();
    await pass(29_249);
    expect(result.returned).toBeUndefined();
    await pass(1);
    await done;
    // It has taken the time of the retry that it was told of.
    expect(result.returned).toEqual(name === 'onEvent' ? ['m1'] : []);
    expect(storage.records.size).toBe(name === 'onEvent' ? 0 : 1);
  });

  it('a recoverability policy that does not answer leaves the decision to the default one', async () => {
    const handle = async () => {
      throw new Error('a bug');
    };
    const recoverability = { policy: () => new Promise<never>(() => {}) };
    const { result, done } = invoke(middy(handle).use(outbox()), [welcome('m1')], { recoverability });
    await settled();
    await pass(29_750);
    await done;
    expect(result.returned).toEqual(['m1']);
    expect(log).toEqual(['Configuration', undefined]);
  });

  it('a plain handler, without the outbox, is given up as well', async () => {
    const held = heldHandler();
    const { result, done } = invoke(held.handle, [welcome('m1')]);
    await settled();
    await pass(29_500);
    await done;
    expect(result.returned).toEqual(['m1']);
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
    faults.plan(operation, async () => await new Promise(() => {}));
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
  const handler = middy(async (_: IncomingMessage, { signal }: HandlerContext) => void signals.push(signal));
  await handler.use(outbox())(welcome('m1') as never, {} as never);
  expect(signals).toEqual([expect.any(AbortSignal)]);
});
