import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { RelayPorts, RelaySettings } from '../../lib/relay/relay.ts';
import { relayEndpoints } from '../../lib/relay/relay-endpoints.ts';
import type { Dispatcher } from '../../lib/sending/dispatcher.ts';
import { MemoryDispatcher } from '../../lib/testing/memory/dispatcher.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { at, storedRecord } from '../support/commits.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { memoryRelay } from '../support/relay-subject.ts';

let storage: MemoryStorage;
let clock: MovingClock;
const dispatchers = { orders: new MemoryDispatcher(), billing: new MemoryDispatcher() };

beforeEach(() => {
  storage = new MemoryStorage();
  clock = new MovingClock(at);
  dispatchers.orders = new MemoryDispatcher();
  dispatchers.billing = new MemoryDispatcher();
});

type Name = keyof typeof dispatchers;

async function commit(endpoint: string, count: number): Promise<void> {
  const { committer } = memoryRelay(storage, endpoint);
  for (let index = 0; index < count; index += 1) {
    const record = storedRecord(`m${index}`, [outgoingMessage({ id: `${endpoint}-${index}` })]);
    await committer.commit(record, new CapacityMeter());
  }
}

function run(
  parts: Partial<Record<Name, Partial<RelayPorts>>> = {},
  settings: Partial<RelaySettings> = {},
  leftOver: readonly Name[] = [],
) {
  clock.pass(1000);
  let owners = 0;
  const endpoints = (['orders', 'billing'] as const).map((endpoint) => {
    const stores = memoryRelay(storage, endpoint);
    const dispatcher = dispatchers[endpoint];
    const hasLeftOver = () => leftOver.includes(endpoint);
    return { endpoint, ports: { ...stores, clock, dispatcher, ...parts[endpoint] }, hasLeftOver };
  });
  return relayEndpoints(endpoints, {
    olderThanMs: 1,
    leaseDurationMs: 300_000,
    concurrency: 4,
    includePostponed: false,
    newLeaseOwner: () => `owner-${owners++}`,
    signal: new AbortController().signal,
    ...settings,
  });
}

const sentBy = (endpoint: Name) => dispatchers[endpoint].sent.map(({ id }) => id).toSorted();

describe('a relay of several endpoints', () => {
  it.each<[Name[], boolean, boolean]>([
    [[], true, true],
    [['orders'], false, true],
  ])(
    'is complete unless the search left records of an endpoint over: %j',
    async (left, ofOrders, ofBilling) => {
      await commit('orders', 1);
      const { endpoints, complete } = await run({}, {}, left);
      expect([endpoints.orders?.complete, endpoints.billing?.complete]).toEqual([ofOrders, ofBilling]);
      expect(complete).toBe(left.length === 0);
    },
  );

  it('dispatches the records of each by its own ports, and tells of each and of all', async () => {
    await commit('orders', 2);
    await commit('billing', 3);
    await commit('shipping', 1);
    const result = await run();
    expect(sentBy('orders')).toEqual(['orders-0', 'orders-1']);
    expect(sentBy('billing')).toEqual(['billing-0', 'billing-1', 'billing-2']);
    expect(result).toMatchObject({ found: 5, dispatched: 5, failed: [], complete: true });
    expect(result.endpoints).toMatchObject({
      orders: { found: 2, dispatched: 2, complete: true },
      billing: { found: 3, dispatched: 3, complete: true },
    });
    const { orders, billing } = result.endpoints;
    expect(result.capacity.writeUnits).toBe(
      Number(orders?.capacity.writeUnits) + Number(billing?.capacity.writeUnits),
    );
  });

  it('goes on with the others when one cannot dispatch', async () => {
    await commit('orders', 2);
    await commit('billing', 1);
    const refusing: Dispatcher = { dispatch: () => Promise.reject(new Error('refused')) };
    const result = await run({ orders: { dispatcher: refusing } });
    expect(result.endpoints).toMatchObject({
      orders: { failed: [{ messageId: 'm0' }, { messageId: 'm1' }] },
      billing: { dispatched: 1, failed: [] },
    });
    expect(result.failed).toHaveLength(2);
  });

  it('goes on with the others when one cannot be searched', async () => {
    await commit('orders', 1);
    await commit('billing', 1);
    const { undispatched } = memoryRelay(storage, 'orders');
    const broken = Object.assign(Object.create(undispatched) as typeof undispatched, {
      // biome-ignore lint/correctness/useYield: it fails before
      async *find() {
        throw new Error('no access');
      },
    });
    const result = await run({ orders: { undispatched: broken } });
    expect(result).toMatchObject({ dispatched: 1, complete: false, searchError: new Error('no access') });
    expect(result.endpoints.billing).toMatchObject({ complete: true, searchError: undefined });
  });

  it('works on no more records at a time than one endpoint may', async () => {
    await commit('orders', 10);
    await commit('billing', 10);
    let [running, most] = [0, 0];
    const counting: Dispatcher = {
      async dispatch() {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
      },
    };
    const ports = { dispatcher: counting };
    expect(await run({ orders: ports, billing: ports })).toMatchObject({ dispatched: 20 });
    expect(most).toBe(4);
  });

  it('comes to the end with one endpoint while the dispatch of another hangs', async () => {
    await commit('orders', 50);
    await commit('billing', 50);
    const hanging = Promise.withResolvers<void>();
    let taken = 0;
    const slow: Dispatcher = {
      dispatch: () => {
        taken += 1;
        return taken === 1 ? Promise.resolve() : hanging.promise;
      },
    };
    const done = run(
      { orders: { dispatcher: slow } },
      {
        onRecord: () => {
          if (dispatchers.billing.sent.length === 50) hanging.resolve();
        },
      },
    );
    expect((await done).endpoints.billing).toMatchObject({ dispatched: 50 });
  });

  it('starts none of those that wait for their turn once the time is up', async () => {
    await commit('orders', 10);
    const controller = new AbortController();
    const ending: Dispatcher = {
      dispatch: async () => controller.abort(),
    };
    const result = await run(
      { orders: { dispatcher: ending } },
      { concurrency: 1, signal: controller.signal },
    );
    expect(result).toMatchObject({ dispatched: 1, failed: [], complete: false });
  });
});
