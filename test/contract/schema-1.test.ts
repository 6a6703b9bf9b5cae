import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { outboxRecordKey, sagaKey } from '../../lib/core/storage/keys.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { allItems, type Item, itemsOf } from '../support/raw-items.ts';
import { byText } from './schema-1/comparable-requests.ts';
import { endpointOfToday } from './schema-1/endpoint.ts';
import { dispatches, readAt, storedItems, tableOfSchema1 } from './schema-1/stored-items.ts';

const client = dynamoDBClient();
const HOUR_MS = 3_600_000;

let tableName: string;
let endpoint: ReturnType<typeof endpointOfToday>;

beforeEach(async () => {
  setTime(readAt);
  tableName = await tableOfSchema1(client);
  endpoint = endpointOfToday(client, tableName);
});

afterEach(() => {
  endpoint.destroy();
  jest.useRealTimers();
});

/** Timers stay real: the runtime waits for engines. */
function setTime(now: Date): void {
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;
  const timers = ['clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  jest.useFakeTimers({ now, doNotFake: [...doNotFake, ...timers], advanceTimers: true });
}

const addressesOf = (items: readonly Item[], dispatched: boolean) =>
  items
    .filter((item) => item.dispatched?.BOOL === dispatched)
    .map((item): [string, string] => {
      const [, name = '', ...rest] = (item.PK?.S ?? '').split('#');
      return [name, item.messageId?.S ?? rest.join('#')];
    });
const dispatched = addressesOf(storedItems, true);
const undispatched = addressesOf(storedItems, false);
const expectedOf = ([name, id]: readonly [string, string]) =>
  (dispatches[`${name}/${id}`] ?? []).toSorted(byText);
const isMain = ([name]: readonly [string, string]) => name === 'orders';

const itemsNow = (message: readonly [string, string]) =>
  itemsOf(client, tableName, outboxRecordKey(...message).partition);

/** All that is left of a record. */
async function expectSettled(message: readonly [string, string]): Promise<void> {
  const left = await itemsNow(message);
  expect([...left.keys()]).toEqual(['RECORD']);
  const record = left.get('RECORD') ?? {};
  expect(record).toMatchObject({ dispatched: { BOOL: true }, schemaVersion: { N: '1' } });
  expect(record.operationCount).toEqual({ N: String(expectedOf(message).length) });
  const period = 604_800;
  expect(Number(record.ExpiresAt?.N)).toBeGreaterThan(readAt.getTime() / 1000 + period - 60);
  for (const gone of ['operations', 'encoding', 'recoveryShard', 'messageId', 'lease']) {
    expect(record).not.toHaveProperty(gone);
  }
}

describe('records of schema 1', () => {
  it('are of every kind', () => {
    expect([dispatched.length, undispatched.length]).toEqual([11, 13]);
    expect(Object.keys(dispatches).toSorted()).toEqual(
      undispatched.map((parts) => parts.join('/')).toSorted(),
    );
  });

  it('that are dispatched are known, sent no more and left as they are', async () => {
    const before = await allItems(client, tableName);
    for (const message of dispatched) {
      expect(await endpoint.deliver(message)).toMatchObject({ returned: false });
    }
    expect([endpoint.handled, endpoint.takeRequests()]).toEqual([[], []]);
    expect(await allItems(client, tableName)).toEqual(before);
  });

  it.each(undispatched)('at %s of %s are dispatched as they were stored, and marked', async (...message) => {
    expect(await endpoint.deliver(message)).toMatchObject({ returned: false });
    expect(endpoint.takeRequests()).toEqual(expectedOf(message));
    expect(expectedOf(message)).not.toEqual([]);
    await expectSettled(message);
    await endpoint.deliver(message);
    expect([endpoint.handled, endpoint.takeRequests()]).toEqual([[], []]);
  });
});

describe('the relay', () => {
  const all = undispatched.filter(isMain);
  const indexed = all.filter(([, id]) => id !== 'in-not-indexed');

  it.each([
    ['index', indexed],
    ['scan', all],
  ] as const)('finds them by the %s, and dispatches what they hold', async (strategy, messages) => {
    await endpoint.relay('orders', { strategy, maxReadUnitsPerSecond: 1_000_000, segments: 2 });
    expect(endpoint.takeRequests()).toEqual(messages.flatMap(expectedOf).toSorted(byText));
    for (const message of messages) await expectSettled(message);
  });

  it.each([
    ['relaying', 'in-claimed-by-relay', 2 * HOUR_MS],
    ['postponing', 'in-postponed', 10 * 60_000],
  ])('of %s leaves the record %s alone until its lease is over', async (name, id, leaseMs) => {
    await endpoint.relay(name, { strategy: 'index' });
    expect(endpoint.takeRequests()).toEqual([]);
    setTime(new Date(readAt.getTime() + leaseMs + 60_000));
    await endpoint.relay(name, { strategy: 'index' });
    expect(endpoint.takeRequests()).toEqual(expectedOf([name, id]));
    await expectSettled([name, id]);
  });

  it('takes a postponed record at once if it is told to', async () => {
    await endpoint.relay('postponing', { strategy: 'index', includePostponed: true });
    expect(endpoint.takeRequests()).toEqual(expectedOf(['postponing', 'in-postponed']));
  });
});

describe('sagas of schema 1', () => {
  const placed = {
    total: 12.5,
    note: 'größer ✓',
    empty: '',
    none: null,
    paid: false,
    big: 12345678901234567890n,
    tags: new Set(['a', 'b']),
    sizes: new Set([1, 2]),
    bytes: Uint8Array.of(0, 127, 255),
    nested: { deep: [{ list: [[1], []] }] },
  };
  const longId = 'order '.padEnd(700, 'long');
  const sagaItem = async (id: string) => {
    const { partition, sort } = sagaKey({ name: 'OrderSaga', id });
    return (await itemsOf(client, tableName, partition)).get(sort) ?? {};
  };
  const itemAdded = (orderId: string) => ({ type: 'ItemAdded', body: { orderId } });

  it.each([
    ['that is new', 'new', []],
    ['that was updated, with timeouts that wait', 'updated', ['in-updated-2', 'in-updated-3', 'in-cancel']],
    ['whose lease was released', 'released', []],
    ['whose id is too long for a key', longId, []],
  ])('%s is loaded and updated', async (_kind, id, items) => {
    const before = await sagaItem(id);
    expect(await endpoint.deliver(['orders', 'now'], itemAdded(id))).toMatchObject({ returned: false });
    expect(endpoint.states).toEqual([{ ...placed, items }]);
    const after = await sagaItem(id);
    expect(after).toMatchObject({ version: { N: String(Number(before.version?.N) + 1) } });
    expect(after.state?.M?.items?.L).toEqual([...items, 'now'].map((S) => ({ S })));
    const { version: _1, commitId: _2, updatedAt: _3, state: _4, ...kept } = before;
    expect(after).toMatchObject(kept);
  });

  it.each(['optimistic', 'pessimistic'] as const)(
    'that is completed is not found with %s locking',
    async (mode) => {
      await endpoint.deliver(['orders', 'now'], { ...itemAdded('completed'), locking: { mode } });
      expect(endpoint.handled).toEqual([]);
      expect(await sagaItem('completed')).toEqual({});
    },
  );

  it('is none where there is only a lock', async () => {
    const { sagas } = dynamoDBPorts({ client, sagaTable: tableName });
    expect(await sagas.load({ name: 'OrderSaga', id: 'lock' })).toBeUndefined();
  });

  it.each([
    ['leased', 'ItemAdded'],
    ['lock', 'OrderPlaced'],
  ])('with a lease keep others out until it is over: %s', async (orderId, type) => {
    const locking = { mode: 'pessimistic', leaseAcquisitionTimeout: { milliseconds: 300 } } as const;
    const delivery = { type, body: { orderId }, locking };
    expect(await endpoint.deliver(['orders', 'now'], delivery)).toMatchObject({ returned: true });
    expect(endpoint.handled).toEqual([]);
    setTime(new Date(readAt.getTime() + 2 * HOUR_MS));
    expect(await endpoint.deliver(['orders', 'now'], delivery)).toMatchObject({ returned: false });
    expect(endpoint.handled).toEqual(['now']);
    expect(await sagaItem(orderId)).not.toHaveProperty('lease');
  });
});
