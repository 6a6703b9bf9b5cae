import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { idempotencyKeyHeader, type RunOutboxSessionOptions, runOutboxSession } from 'sagabox';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { emfSums } from '../../support/emf-documents.ts';
import { eventBridgeEvent, httpApiEvent } from '../../support/http-events.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

let memory: ReturnType<typeof memoryPorts>;

beforeEach(() => {
  memory = memoryPorts('orders');
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  for (const name of ['SAGABOX_METRICS_NAMESPACE', 'SAGABOX_OPERATION', 'AWS_LAMBDA_FUNCTION_NAME'])
    delete process.env[name];
});

const options = (more: Partial<RunOutboxSessionOptions> = {}) =>
  ({
    endpoint: 'orders',
    destinations: { billing: 'https://queues.test/billing' },
    logger: silentLogger,
    ports: memory.ports,
    ...more,
  }) as RunOutboxSessionOptions;

/** An invocation of so many milliseconds, which pass with the timers. */
function invocationOf(durationMs: number) {
  const endsAt = Date.now() + durationMs;
  return { getRemainingTimeInMillis: () => endsAt - Date.now(), awsRequestId: 'r1' } as never;
}

const sent = () => memory.dispatcher.sent.map(({ body }) => body);

describe('runOutboxSession', () => {
  it('commits and sends what its handler did, each time without a key', async () => {
    for (const run of [1, 2]) {
      const result = await runOutboxSession(
        { run },
        async (event, { send }) => {
          send('billing', 'Import', event);
          return event.run;
        },
        options(),
      );
      expect(result).toBe(run);
    }
    expect(sent()).toEqual([{ run: 1 }, { run: 2 }]);
  });

  it('runs side by side with others in one invocation, and is refused within another one', async () => {
    const context = invocationOf(60_000);
    const run = (file: string, within?: () => Promise<unknown>) =>
      runOutboxSession(
        { file },
        async (event, { send }) => void [send('billing', 'Import', event), await within?.()],
        {
          ...options(),
          context,
        },
      );
    await Promise.all(['a', 'b', 'c'].map((file) => run(file)));
    expect(sent()).toEqual(['a', 'b', 'c'].map((file) => ({ file })));
    await expect(run('d', () => run('e'))).rejects.toThrow('the event has a session');
    expect(sent()).toHaveLength(3);
  });

  it('runs its handler once for a key', async () => {
    let runs = 0;
    const run = () =>
      runOutboxSession(
        { file: 'a' },
        () => ({ runs: ++runs }),
        options({ idempotencyKey: () => 'a', scope: 'public' }),
      );
    expect([await run(), await run()]).toEqual([{ runs: 1 }, { runs: 1 }]);
  });

  it('returns the first time what it returns each time', async () => {
    const run = () =>
      runOutboxSession(
        { file: 'a' },
        () => ({ at: new Date(0), lines: [{ total: 1, note: undefined }] }),
        options({ idempotencyKey: () => 'a', scope: 'public' }),
      );
    const first = await run();
    expect(first.at.startsWith('1970')).toBe(true);
    expect(first).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', lines: [{ total: 1 }] });
    expect(await run()).toStrictEqual(first);
  });

  describe('of two operations', () => {
    const order = { orderId: 7 };
    const key = { idempotencyKey: (event: typeof order) => `${event.orderId}`, scope: 'public' } as const;
    const charge = () => 'charged';
    const ship = () => 'shipped';

    it.each([
      ['under one key', order, key],
      ['for one event of EventBridge', eventBridgeEvent('e1'), {}],
      [
        'for one HTTP request',
        httpApiEvent({ headers: { 'idempotency-key': 'k1' } }),
        { idempotencyKey: idempotencyKeyHeader() },
      ],
      ['in one invocation', order, { context: { awsRequestId: 'r1', functionName: 'orders' } }],
    ])('runs each %s, if they are named', async (_, event, more) => {
      const run = (operation: string, handler: () => string) =>
        runOutboxSession(event as never, handler, options({ ...(more as object), operation }));
      for (const _run of [1, 2])
        expect([await run('charge', charge), await run('ship', ship)]).toEqual(['charged', 'shipped']);
      expect(memory.storage.records.size).toBe(2);
    });

    it('refuses the second one under one key, if they are not named', async () => {
      expect(await runOutboxSession(order, charge, options(key))).toBe('charged');
      await expect(runOutboxSession(order, ship, options(key))).rejects.toThrow(
        expect.objectContaining({
          code: 'Configuration',
          facts: expect.objectContaining({ setting: 'operation' }),
        }) as never,
      );
      expect(await runOutboxSession(order, charge, options(key))).toBe('charged');
      // Another test of the same process has records of its own.
      memory = memoryPorts('orders');
      expect(await runOutboxSession(order, ship, options(key))).toBe('shipped');
    });
  });

  describe('in two functions', () => {
    const runIn = async (name: string, environment: Record<string, string>) => {
      Object.assign(process.env, environment);
      return await runOutboxSession(eventBridgeEvent('e1'), () => name, options());
    };
    const ranIn = async (...environments: Record<string, string>[]) => {
      const ran: string[] = [];
      for (const [index, environment] of environments.entries())
        ran.push(await runIn(`${index}`, environment));
      return ran;
    };

    it('runs for one event in each of them, without their context', async () => {
      const [audit, notify] = ['audit', 'notify'].map((name) => ({ AWS_LAMBDA_FUNCTION_NAME: name }));
      expect(await ranIn(audit as never, notify as never)).toEqual(['0', '1']);
    });

    it('of which one took the place of the other, runs once', async () => {
      const SAGABOX_OPERATION = 'Shop/Audit';
      const [before, after] = ['a1', 'a2'].map((name) => ({
        SAGABOX_OPERATION,
        AWS_LAMBDA_FUNCTION_NAME: name,
      }));
      expect(await ranIn(before as never, after as never)).toEqual(['0', '0']);
      expect(await ranIn({ SAGABOX_OPERATION: 'Shop/Notify' })).toEqual(['0']);
      expect(memory.storage.records.size).toBe(2);
    });
  });

  it('runs for each record that an invocation got, and for none of them when Lambda tries it again', async () => {
    const context = { awsRequestId: 'r1', functionName: 'import' } as never;
    const ran: string[] = [];
    for (const key of ['a.csv', 'b.csv', 'a.csv', 'b.csv']) {
      await runOutboxSession(
        { s3: { object: { key } } },
        (event, { send }) => {
          ran.push(event.s3.object.key);
          send('billing', 'Import', event);
        },
        options({ context }),
      );
    }
    expect([ran, sent()]).toEqual([
      ['a.csv', 'b.csv'],
      [{ s3: { object: { key: 'a.csv' } } }, { s3: { object: { key: 'b.csv' } } }],
    ]);
  });

  it('throws what its handler throws, also at once, and commits nothing', async () => {
    const fail = () => {
      throw new Error('bad file');
    };
    await expect(runOutboxSession({}, fail, options())).rejects.toThrow('bad file');
    expect(memory.storage.records.size).toBe(0);
  });

  it('answers a problem to an HTTP event', async () => {
    const required = options({ idempotencyKey: idempotencyKeyHeader(), requireIdempotencyKey: true });
    const answer = await runOutboxSession(httpApiEvent(), () => ({ statusCode: 200 }), required);
    expect(answer).toMatchObject({ statusCode: 400 });
  });

  it('writes its metrics when it has ended, if the environment names a namespace', async () => {
    process.env.SAGABOX_METRICS_NAMESPACE = 'Shop/Messages';
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runOutboxSession({}, (_event, { send }) => send('billing', 'Import', {}), options());
    const lines = write.mock.calls.map(([line]) => `${line}`.trimEnd());
    expect(emfSums(lines)).toMatchObject({ 'MessagesHandled endpoint=orders': 1 });
  });

  it('ends before its invocation does, though its handler does not', async () => {
    const handling = Promise.withResolvers<AbortSignal>();
    const hanging = runOutboxSession(
      {},
      (_event, { signal }) => {
        handling.resolve(signal);
        return new Promise<void>(() => {});
      },
      options({ context: invocationOf(200) }),
    );
    const failing = expect(hanging).rejects.toThrow(
      expect.objectContaining({ code: 'InvocationTimeout' }) as never,
    );
    const signal = await handling.promise;
    await jest.advanceTimersByTimeAsync(200);
    await failing;
    expect(signal.aborted).toBe(true);
    expect(memory.storage.records.size).toBe(0);
  });

  it('returns the response of a commit whose dispatch does not end in time', async () => {
    const dispatching = Promise.withResolvers<void>();
    memory.dispatcher.dispatch = () => {
      dispatching.resolve();
      return new Promise<void>(() => {});
    };
    const result = runOutboxSession(
      {},
      (_event, { send }) => {
        send('billing', 'Import', {});
        return 'imported';
      },
      options({ context: invocationOf(200) }),
    );
    await dispatching.promise;
    await jest.advanceTimersByTimeAsync(200);
    expect(await result).toBe('imported');
    expect([...memory.storage.records.values()].map(({ dispatched }) => dispatched)).toEqual([false]);
  });
});
