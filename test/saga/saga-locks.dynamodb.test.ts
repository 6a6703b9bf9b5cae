import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { newLease } from '../../lib/kernel/lease.ts';
import type { ExpectedSaga, SagaLocks } from '../../lib/saga/saga-locks.ts';
import { commitOf, orderSaga } from '../support/commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { connectionLost, dynamoDBError, passingErrors } from '../support/faults.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { allItems, changeItem } from '../support/raw-items.ts';
import { dynamoDBSagaLocks } from '../support/saga-locks.ts';
import { sagaCreation } from '../support/saga-writes.ts';
import { storeForEachTest } from '../support/test-store.ts';
import { watchedClient } from '../support/watched-client.ts';

const owner = '5f0c6a35-5b0e-4c6c-9a51-0d6a4a4f6a11';
const leaseDurationMs = 30_000;
const store = storeForEachTest();
const { client, faults } = store;
const { client: onceClient, faults: onceFaults } = watchedClient(dynamoDBClient());

let clock: MovingClock;
let locks: SagaLocks;
/** The same, on a client that sends each request once. */
let onceLocks: SagaLocks;

beforeEach(() => {
  clock = new MovingClock();
  locks = dynamoDBSagaLocks(client, store.tableName, clock);
  onceLocks = dynamoDBSagaLocks(onceClient, store.tableName, clock);
});

const leaseOf = (by: string) => newLease(by, clock.now(), leaseDurationMs);
const acquire = (expected: ExpectedSaga, by = owner, through = locks, meter = new CapacityMeter()) =>
  through.tryAcquire(orderSaga, leaseOf(by), expected, meter);
const create = async () => {
  await store.ports.committer.commit(sagaCreation({ text: 'x'.repeat(1500) }), new CapacityMeter());
  faults.reset();
};
const prepare = async (expected: ExpectedSaga) => {
  if (expected === 'existing') await create();
};
const bothWays = ['existing', 'new'] as const;

describe('an attempt at a lease', () => {
  it.each(bothWays)('(%s) is one UpdateItem, given or refused', async (expected) => {
    await prepare(expected);
    expect((await acquire(expected)).outcome).toBe('acquired');
    expect((await acquire(expected, 'other')).outcome).toBe('held');
    const unexpected = expected === 'new' ? 'existing' : 'new';
    expect((await acquire(unexpected, 'other')).outcome).toBe('unexpected');
    expect(faults.operations).toEqual(Array(3).fill('UpdateItem'));
    for (const { input } of faults.requests) {
      expect(input).toMatchObject({
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ReturnConsumedCapacity: 'TOTAL',
      });
    }
  });

  it('adds what it consumed to the meter', async () => {
    await create();
    const meter = new CapacityMeter();
    const lease = leaseOf(owner);
    await locks.tryAcquire(orderSaga, lease, 'existing', meter);
    expect(meter.total).toEqual({ readUnits: 0, writeUnits: 2 });
    await locks.renew(orderSaga, lease, meter);
    await locks.release(orderSaga, lease, 'existing', meter);
    expect(meter.total).toEqual({ readUnits: 0, writeUnits: 6 });
  });

  it.each(bothWays)('(%s) whose answer got lost is given when the SDK asks again', async (expected) => {
    await prepare(expected);
    faults.loseAnswer('UpdateItem');
    const result = await acquire(expected);
    expect(faults.operations).toEqual(['UpdateItem', 'UpdateItem']);
    expect(result.outcome).toBe('acquired');
    const { stored } = result as Extract<typeof result, { outcome: 'acquired' }>;
    expect(stored?.revision.version).toBe(expected === 'existing' ? 1 : undefined);
  });

  it.each(['TransactionConflictException', ...passingErrors])(
    'that ends in %s counts as refused, until nobody knows when',
    async (name) => {
      onceFaults.fail('UpdateItem', dynamoDBError(name));
      expect(await acquire('new', owner, onceLocks)).toMatchObject({
        outcome: 'held',
        until: undefined,
        cause: { retryable: true },
      });
      expect((await acquire('new', 'other')).outcome).toBe('acquired');
    },
  );

  it('that got through, and was told to be throttled, is given to its owner at the next one', async () => {
    await create();
    onceFaults.plan('UpdateItem', async (_input, proceed) => {
      await proceed();
      throw dynamoDBError('InternalServerError');
    });
    expect((await acquire('existing', owner, onceLocks)).outcome).toBe('held');
    clock.pass(200);
    expect((await acquire('existing', owner, onceLocks)).outcome).toBe('acquired');
  });

  it('that finds no table says so', async () => {
    const nowhere = dynamoDBSagaLocks(client, 'no-such-table', clock);
    const error = await sagaboxErrorOf(acquire('new', owner, nowhere));
    expect(error.code).toBe('TableNotFound');
  });

  it('that gets no answer at all fails: whose the lease is now is not known', async () => {
    onceFaults.fail('UpdateItem', connectionLost());
    expect((await sagaboxErrorOf(acquire('new', owner, onceLocks))).code).toBe('TableCallFailed');
  });

  it('at a saga that cannot be read fails', async () => {
    await create();
    await changeItem(client, store.tableName, ['SAGA#OrderSaga#42', 'SAGA'], 'schemaVersion', { N: '99' });
    expect((await sagaboxErrorOf(acquire('existing'))).code).toBe('UnreadableItem');
  });
});

describe('what a lease leaves in the table', () => {
  const lease = { M: { owner: { S: owner }, until: { N: '1767323075678' } } };

  it('where there is no saga is an item of its own, small, with its time to live', async () => {
    await acquire('new');
    const items = await allItems(client, store.tableName);
    expect(items).toEqual([
      // An hour after the lease, in seconds, rounded up.
      { PK: { S: 'SAGA#OrderSaga#42' }, SK: { S: 'SAGA' }, lease, ExpiresAt: { N: '1767326676' } },
    ]);
    expect(itemSize(items[0] ?? {})).toBe(104);
  });

  it('is an attribute of the saga, which has no time to live', async () => {
    await create();
    const [before] = await allItems(client, store.tableName);
    await acquire('existing');
    const [locked] = await allItems(client, store.tableName);
    expect(locked).toEqual({ ...before, lease });
    expect(itemSize(locked ?? {}) - itemSize(before ?? {})).toBe(64);
  });

  it('is nothing after the release, and the saga as it was', async () => {
    await acquire('new');
    await locks.release(orderSaga, leaseOf(owner), 'new', new CapacityMeter());
    expect(await allItems(client, store.tableName)).toEqual([]);

    await create();
    const before = await allItems(client, store.tableName);
    await acquire('existing');
    await locks.release(orderSaga, leaseOf(owner), 'existing', new CapacityMeter());
    expect(await allItems(client, store.tableName)).toEqual(before);
  });

  it.each(['create', 'complete'] as const)('is nothing after a commit (%s)', async (kind) => {
    await prepare(kind === 'create' ? 'new' : 'existing');
    const result = await acquire(kind === 'create' ? 'new' : 'existing');
    const read = result.outcome === 'acquired' ? result.stored?.revision : undefined;
    const write =
      kind === 'create'
        ? ({ kind, saga: orderSaga, state: {}, timeouts: [], leaseOwner: owner } as const)
        : ({ kind, saga: orderSaga, read: read ?? { version: 0, commitId: '' }, leaseOwner: owner } as const);
    await store.ports.committer.commit(commitOf({ saga: write }), new CapacityMeter());
    const items = await allItems(client, store.tableName);
    expect(items.map((item) => [item.lease, item.ExpiresAt])).toEqual(
      kind === 'create' ? [[undefined, undefined]] : [],
    );
  });

  it('is never deleted together with a saga', async () => {
    await create();
    await acquire('existing');
    await locks.release(orderSaga, leaseOf(owner), 'new', new CapacityMeter());
    expect(await allItems(client, store.tableName)).toHaveLength(1);
  });
});

describe('a renewal and a release', () => {
  it.each(bothWays)('(%s) are one call each, with the owner as condition', async (expected) => {
    await prepare(expected);
    const lease = leaseOf(owner);
    await acquire(expected);
    faults.reset();
    await locks.renew(orderSaga, lease, new CapacityMeter());
    await locks.release(orderSaga, lease, expected, new CapacityMeter());
    expect(faults.operations).toEqual(['UpdateItem', expected === 'new' ? 'DeleteItem' : 'UpdateItem']);
    for (const { input } of faults.requests) {
      expect(input.ConditionExpression).toContain('#lease.#owner = :owner');
    }
  });

  it.each(bothWays)('(%s) whose answers got lost succeed when the SDK asks again', async (expected) => {
    await prepare(expected);
    const lease = leaseOf(owner);
    await acquire(expected);
    faults.loseAnswer('UpdateItem');
    expect(await locks.renew(orderSaga, lease, new CapacityMeter())).toBe(true);
    faults.loseAnswer(expected === 'new' ? 'DeleteItem' : 'UpdateItem');
    await locks.release(orderSaga, lease, expected, new CapacityMeter());
    expect(faults.pending).toBe(0);
    expect((await acquire(expected, 'other')).outcome).toBe('acquired');
  });

  it('that are throttled fail', async () => {
    onceFaults.fail('UpdateItem', dynamoDBError('ThrottlingException'), 2);
    const lease = leaseOf(owner);
    const renewal = onceLocks.renew(orderSaga, lease, new CapacityMeter());
    expect((await sagaboxErrorOf(renewal)).code).toBe('Throttled');
    const release = onceLocks.release(orderSaga, lease, 'existing', new CapacityMeter());
    expect((await sagaboxErrorOf(release)).code).toBe('Throttled');
  });
});
