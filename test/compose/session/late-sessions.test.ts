import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import middy, { type MiddlewareObj } from '@middy/core';
import {
  idempotencyKeyHeader,
  type MessageReport,
  type OutboxSessionContext,
  type OutboxSessionOptions,
  type OutboxSessionScope,
  outboxSession,
  runOutboxSession,
} from 'sagabox';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { httpApiEvent } from '../../support/http-events.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

let memory: ReturnType<typeof memoryPorts>;
let reports: MessageReport[];
let commits: number;

beforeEach(() => {
  memory = memoryPorts('orders');
  [reports, commits] = [[], 0];
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const { committer } = memory.ports;
  const commit = committer.commit.bind(committer);
  committer.commit = async (...parameters) => {
    commits += 1;
    await commit(...parameters);
  };
});

afterEach(() => {
  jest.useRealTimers();
});

const options = () =>
  ({
    endpoint: 'orders',
    destinations: { billing: 'https://queues.test/billing' },
    idempotencyKey: idempotencyKeyHeader(),
    // The handlers of a test are runs of one.
    operation: 'place',
    logger: silentLogger,
    ports: memory.ports,
    onMessage: (report) => void reports.push(report),
  }) as OutboxSessionOptions;

const keyed = httpApiEvent({ headers: { 'idempotency-key': 'k1' } });
const timedOut = expect.objectContaining({
  code: 'InvocationTimeout',
  message: expect.stringContaining('the request fails'),
}) as never;

/** Of an invocation that has so much left as a test says. */
class Remaining {
  ms = 3000;
  readonly context = { getRemainingTimeInMillis: () => this.ms, awsRequestId: 'r1' } as never;
}

type Handle = (scope: OutboxSessionScope) => unknown;

const runners: [string, (handle: Handle, context: never) => Promise<unknown>][] = [
  [
    'runOutboxSession',
    (handle, context) => runOutboxSession(keyed, (_, scope) => handle(scope), { ...options(), context }),
  ],
  [
    'outboxSession',
    (handle, context) => {
      const handler = middy((_event: unknown, scope: OutboxSessionContext) => handle(scope));
      return handler.use(outboxSession(options()) as MiddlewareObj)(keyed, context) as Promise<unknown>;
    },
  ],
];

describe.each(runners)('a handler in %s', (_, run) => {
  it.each([
    [151, 1],
    [150, 0],
    [80, 0],
  ])('that returns with %i of 3,000 ms left: %i commits', async (leftMs, expected) => {
    const remaining = new Remaining();
    const running = run(({ send }) => {
      send('billing', 'Late', {});
      // It blocks the event loop: no timer calls back meanwhile.
      remaining.ms = leftMs;
      return { statusCode: 201 };
    }, remaining.context);
    await (expected === 1 ? running : expect(running).rejects.toThrow(timedOut));
    await setImmediate();
    expect([commits, reports.map(({ outcome }) => outcome)]).toEqual([
      expected,
      [expected === 1 ? 'handled' : 'failed'],
    ]);
  });
});

describe('when the time is up', () => {
  const durationMs = 100;
  function shortContext() {
    const endsAt = Date.now() + durationMs;
    return { getRemainingTimeInMillis: () => endsAt - Date.now(), awsRequestId: 'r1' } as never;
  }

  it('a commit whose bodies are still being stored is not started any more', async () => {
    const stored = Promise.withResolvers<void>();
    const { outbox } = memory.ports;
    const find = outbox.find.bind(outbox);
    let finds = 0;
    outbox.find = async (...parameters) => {
      finds += 1;
      // It is read once more, before the request is answered.
      if (finds > 1) stored.resolve();
      await setImmediate();
      return await find(...parameters);
    };
    const storing = Promise.withResolvers<void>();
    const claimChecks = {
      store: async <T>(operations: T) => {
        storing.resolve();
        await stored.promise;
        return operations;
      },
    };
    const ports = { ...memory.ports, claimChecks } as never;
    const running = runOutboxSession(keyed, (_, { send }) => send('billing', 'Late', {}), {
      ...options(),
      ports,
      context: shortContext(),
    });
    const failing = expect(running).rejects.toThrow(timedOut);
    await storing.promise;
    await jest.advanceTimersByTimeAsync(durationMs);
    await failing;
    await setImmediate();
    expect([finds, commits]).toEqual([2, 0]);
  });

  it('a commit that was refused is not tried again once the signal is aborted', async () => {
    const { clock, committer } = memory.ports;
    committer.commit = async () => {
      commits += 1;
      throw new SagaboxError('TransactionConflict', { item: 'it' } as never);
    };
    const sleeping = Promise.withResolvers<void>();
    clock.sleep = (async (_ms: number, signal: AbortSignal) => {
      sleeping.resolve();
      const aborted = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
    }) as never;
    const running = runOutboxSession(keyed, () => 'done', { ...options(), context: shortContext() });
    const failing = expect(running).rejects.toThrow(
      expect.objectContaining({ code: 'TransactionConflict' }) as never,
    );
    await sleeping.promise;
    await jest.advanceTimersByTimeAsync(durationMs);
    await failing;
    expect(commits).toBe(1);
  });

  it('what the last look at the record finds later is not reported any more', async () => {
    await runOutboxSession(keyed, () => 'stored', options());
    const { committer, outbox } = memory.ports;
    const [looking, found] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
    const [record] = memory.storage.records.values();
    let finds = 0;
    outbox.find = async () => {
      finds += 1;
      if (finds === 1) return undefined;
      looking.resolve();
      return await found.promise;
    };
    committer.commit = async () => {
      throw new SagaboxError('TransactionConditionFailed', { index: 0, tableName: 'orders' });
    };
    const running = runOutboxSession(keyed, () => 'new', { ...options(), context: shortContext() });
    const failing = expect(running).rejects.toThrow('did not hold');
    await looking.promise;
    await jest.advanceTimersByTimeAsync(durationMs);
    await failing;
    found.resolve(record as never);
    await setImmediate();
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled', 'failed']);
  });
});
