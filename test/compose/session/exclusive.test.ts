import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import middy, { type MiddlewareObj } from '@middy/core';
import {
  idempotencyKeyHeader,
  type OutboxSessionContext,
  type OutboxSessionOptions,
  outboxSession,
  runOutboxSession,
} from 'sagabox';
import type { RequestLeases } from '../../../lib/outbox/request-leases.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { httpApiEvent } from '../../support/http-events.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

let memory: ReturnType<typeof memoryPorts>;
let runs: number;

beforeEach(() => {
  memory = memoryPorts('orders');
  runs = 0;
});

const keyed = httpApiEvent({ headers: { 'idempotency-key': 'k1' } });

const options = (more: Partial<OutboxSessionOptions> = {}) =>
  ({
    endpoint: 'orders',
    destinations: { billing: 'https://queues.test/billing' },
    idempotencyKey: idempotencyKeyHeader(),
    exclusive: { leaseDuration: { seconds: 30 } },
    logger: silentLogger,
    ports: memory.ports,
    ...more,
  }) as OutboxSessionOptions;

type Handler = (event: never, context: OutboxSessionContext) => unknown;

const place: Handler = async (_event, { send }) => {
  runs += 1;
  send('billing', 'OrderPlaced', { run: runs });
  return { statusCode: 201, body: `${runs}` };
};

function functionOf(handler: Handler = place, more: Partial<OutboxSessionOptions> = {}) {
  const handle = middy(handler as never).use(outboxSession(options(more)) as MiddlewareObj);
  return (event: unknown = keyed) => handle(event as never, {} as never) as Promise<unknown>;
}

/** The clock moves with each wait; meanwhile something happens. */
function whileWaiting(happens: (waits: number) => unknown) {
  const { clock } = memory.ports;
  const sleep = clock.sleep.bind(clock);
  let waits = 0;
  clock.sleep = async (durationMs) => {
    waits += 1;
    await happens(waits);
    await sleep(durationMs);
  };
}

describe('an exclusive session', () => {
  it('lets one of two run, and the other one answer with its response', async () => {
    const started = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const invoke = functionOf(async (event, context) => {
      started.resolve();
      await go.promise;
      return await place(event, context);
    });
    const first = invoke();
    await started.promise;
    whileWaiting(async (waits) => {
      if (waits < 3) return;
      go.resolve();
      await first;
    });
    expect(await invoke()).toEqual({ statusCode: 201, body: '1' });
    expect(await first).toEqual({ statusCode: 201, body: '1' });
    expect([runs, memory.dispatcher.sent.length]).toEqual([1, 1]);
  });

  it('is answered with 409 when the other one does not end in time, and names when to come again', async () => {
    const never = functionOf(() => new Promise(() => {}));
    void never();
    await new Promise(setImmediate);
    const answer = (await functionOf(place, {
      exclusive: { leaseDuration: { minutes: 5 }, waitTimeout: { seconds: 3 } },
    })()) as {
      body: string;
    };
    expect(answer).toMatchObject({
      statusCode: 409,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
    });
    expect(JSON.parse(answer.body).code).toBe('RequestInProgress');
    expect(memory.ports.clock.sleepsMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(3000);
    expect(runs).toBe(0);
  });

  it('waits no longer than its invocation allows', async () => {
    void functionOf(() => new Promise(() => {}))();
    await new Promise(setImmediate);
    const { clock } = memory.ports;
    const endsAt = clock.now().getTime() + 5000;
    const context = { getRemainingTimeInMillis: () => endsAt - clock.now().getTime() } as never;
    expect(await runOutboxSession(keyed, place as never, { ...options(), context })).toMatchObject({
      statusCode: 409,
    });
    // The start margin is a fifth of it; 10 s are the limit of the wait itself.
    const waitedMs = clock.sleepsMs.reduce((sum, ms) => sum + ms, 0);
    expect(waitedMs).toBeLessThanOrEqual(4000);
    expect(waitedMs).toBeGreaterThan(3500);
  });

  it('runs once the lease of a dead one is over', async () => {
    const dead = functionOf(() => new Promise(() => {}), { exclusive: { leaseDuration: { seconds: 5 } } });
    void dead();
    await new Promise(setImmediate);
    expect(await functionOf()()).toEqual({ statusCode: 201, body: '1' });
  });

  it('releases its lease when it fails, and when its response is not committed', async () => {
    await expect(
      functionOf(() => {
        throw new Error('no stock');
      })(),
    ).rejects.toThrow('no stock');
    expect(await functionOf(async () => ({ statusCode: 503 }))()).toEqual({ statusCode: 503 });
    expect(memory.storage.requestLeases.size).toBe(0);
    expect(await functionOf()()).toMatchObject({ statusCode: 201 });
    expect(memory.ports.clock.sleepsMs).toEqual([]);
  });

  it('refuses another request under its key at once', async () => {
    void functionOf(() => new Promise(() => {}))();
    await new Promise(setImmediate);
    const other = httpApiEvent({ headers: { 'idempotency-key': 'k1' }, body: '{"orderId":"43"}' });
    const releases = jest.spyOn(memory.ports.requestLeases as RequestLeases, 'release');
    expect(await functionOf()(other)).toMatchObject({ statusCode: 422 });
    expect(memory.ports.clock.sleepsMs).toEqual([]);
    // The lease is that of the other one: its release would be a refused write.
    expect(releases).not.toHaveBeenCalled();
  });

  it('that lost its lease commits nothing, and answers with the response of the other one', async () => {
    const invoke = functionOf();
    const slow = functionOf(async (event, context) => {
      memory.ports.clock.pass(31_000);
      await invoke();
      return await place(event, context);
    });
    expect(await slow()).toEqual({ statusCode: 201, body: '1' });
    expect([runs, memory.dispatcher.sent.length]).toEqual([2, 1]);
  });

  it.each([
    ['the exclusive one', true],
    ['the other one', false],
  ])('beside one that is not exclusive, one commits: %s is slow', async (_, isExclusiveSlow) => {
    const invoke = functionOf(place, { exclusive: !isExclusiveSlow });
    const slow = functionOf(
      async (event, context) => {
        const response = await place(event, context);
        await invoke();
        return response;
      },
      { exclusive: isExclusiveSlow },
    );
    expect(await slow()).toEqual({ statusCode: 201, body: '2' });
    expect([runs, memory.dispatcher.sent.length]).toEqual([2, 1]);
  });

  it('takes no lease for a request without a key', async () => {
    await functionOf()(httpApiEvent());
    expect(memory.storage.requestLeases.size).toBe(0);
    expect(runs).toBe(1);
  });

  it.each([
    ['as long as its invocation goes on', { context: { getRemainingTimeInMillis: () => 20_000 } }, 20_000],
    ['5 minutes outside of Lambda', {}, 300_000],
  ])('holds its lease for %s', async (_, more, expected) => {
    let leased = 0;
    const { clock } = memory.ports;
    await runOutboxSession(
      keyed,
      () => {
        const [lease] = memory.storage.requestLeases.values();
        leased = (lease?.until.getTime() ?? 0) - clock.now().getTime();
      },
      { ...options({ exclusive: true }), ...(more as object) },
    );
    expect(leased).toBe(expected);
  });

  it.each([
    [{ exclusive: 'yes' }, 'exclusive'],
    [{ exclusive: { leaseDuration: 5 } }, 'exclusive.leaseDuration'],
    [{ exclusive: { leaseDuration: { seconds: 0 } } }, 'exclusive.leaseDuration'],
    [{ exclusive: { waitTimeout: 'long' } }, 'exclusive.waitTimeout'],
    [{ exclusive: { lease: { seconds: 1 } } }, 'exclusive.lease'],
  ])('refuses %j', (more, setting) => {
    expect(() => outboxSession(options(more as never))).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(setting) }) as never,
    );
  });
});
