import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ReadBatcher } from '../../../lib/dynamodb/calls/read-batcher.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { dynamoDBError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { type Item, keyOf, putItem } from '../../support/raw-items.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(dynamoDBClient());
const otherClient = dynamoDBClient();

let tableName: string;
let clock: MovingClock;
let reads: ReadBatcher;

beforeEach(async () => {
  tableName = await createTable();
  clock = new MovingClock();
  reads = new ReadBatcher(client, { clock, random: () => 0.5 });
});

async function store(...partitions: string[]): Promise<void> {
  await Promise.all(
    partitions.map((partition) =>
      putItem(otherClient, tableName, { ...keyOf(partition), of: { S: partition } }),
    ),
  );
}

interface ReadOptions {
  readonly table?: string;
  readonly consistentRead?: boolean;
  readonly meter?: CapacityMeter | undefined;
}

async function read(partition: string, options: ReadOptions = {}): Promise<Item | undefined> {
  const { table = tableName, consistentRead = true, meter = new CapacityMeter() } = options;
  return await reads.read({ tableName: table, key: keyOf(partition), consistentRead, meter });
}

const keyCounts = () =>
  faults.requests.map(({ input }) =>
    Object.values(input.RequestItems as Record<string, { Keys: unknown[] }>).map(({ Keys }) => Keys.length),
  );

describe('reads that are asked for at once', () => {
  it('are one call, and each gets its own item, or none', async () => {
    await store('a', 'b', 'c');
    const found = await Promise.all(['c', 'none', 'a', 'b'].map((partition) => read(partition)));
    expect(found.map((item) => item?.of?.S)).toEqual(['c', undefined, 'a', 'b']);
    expect(faults.operations).toEqual(['BatchGetItem']);
  });

  it('of several tables are one call', async () => {
    const other = await createTable();
    await store('a');
    await putItem(otherClient, other, { ...keyOf('a'), of: { S: 'other' } });
    const found = await Promise.all([read('a'), read('a', { table: other }), read('b', { table: other })]);
    expect(found.map((item) => item?.of?.S)).toEqual(['a', 'other', undefined]);
    expect(keyCounts()).toEqual([[1, 2]]);
  });

  it('of one item share its key, and what one does to its item does not show to the other', async () => {
    await store('a');
    const [first, second] = await Promise.all([read('a'), read('a')]);
    expect(keyCounts()).toEqual([[1]]);
    if (first) first.of = { S: 'changed' };
    expect(second?.of?.S).toBe('a');
  });

  it.each([
    [20, [[20]]],
    [21, [[20], [1]]],
    [50, [[20], [20], [10]]],
  ])('of %i items are calls of %j', async (count, calls) => {
    const partitions = Array.from({ length: count }, (_, index) => String(index));
    await store('7', String(count - 1));
    const found = await Promise.all(partitions.map((partition) => read(partition)));
    expect(keyCounts()).toEqual(calls);
    expect(found.flatMap((item) => item?.of?.S ?? [])).toEqual(['7', String(count - 1)]);
  });

  it('of one table in two ways are a call for each way', async () => {
    await store('a', 'b', 'c', 'd');
    const ways = [true, false, true, false];
    const found = await Promise.all(
      ['a', 'b', 'c', 'd'].map((partition, index) =>
        read(partition, { consistentRead: ways[index] ?? true }),
      ),
    );
    expect(found.map((item) => item?.of?.S)).toEqual(['a', 'b', 'c', 'd']);
    const calls = faults.requests.map(({ input }) => input.RequestItems[tableName]);
    expect(calls.map(({ ConsistentRead, Keys }) => [ConsistentRead, Keys.length])).toEqual([
      [true, 2],
      [false, 2],
    ]);
  });

  it('of two tables in two ways are one call', async () => {
    const other = await createTable();
    await Promise.all([read('a'), read('a', { table: other, consistentRead: false })]);
    expect(faults.requests.map(({ input }) => input.RequestItems)).toEqual([
      {
        [tableName]: { Keys: [keyOf('a')], ConsistentRead: true },
        [other]: { Keys: [keyOf('a')], ConsistentRead: false },
      },
    ]);
  });

  it('find items of a table with key names of its own', async () => {
    const named = `test-${randomUUID()}`;
    await otherClient.send(
      new CreateTableCommand({
        TableName: named,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['z', 'a'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'z', KeyType: 'HASH' },
          { AttributeName: 'a', KeyType: 'RANGE' },
        ],
      }),
    );
    await putItem(otherClient, named, { z: { S: '1' }, a: { S: '2' }, PK: { S: 'no key here' } });
    const target = { tableName: named, consistentRead: true, meter: new CapacityMeter() };
    const found = await Promise.all([
      reads.read({ ...target, key: { z: { S: '1' }, a: { S: '2' } } }),
      reads.read({ ...target, key: { z: { S: '2' }, a: { S: '1' } } }),
    ]);
    expect(found.map((item) => item?.PK?.S)).toEqual(['no key here', undefined]);
  });
});

describe('keys that DynamoDB leaves unprocessed', () => {
  const leave = (table: string, ...partitions: string[]) => ({
    [table]: { Keys: partitions.map(keyOf), ConsistentRead: true },
  });

  it('are read again, they alone and as consistently, after growing delays; the others have their items by then', async () => {
    await store('a', 'b', 'c');
    faults.answer('BatchGetItem', { UnprocessedKeys: leave(tableName, 'a', 'b', 'c') });
    faults.answer('BatchGetItem', {
      Responses: { [tableName]: [{ ...keyOf('b'), of: { S: 'b' } }] },
      UnprocessedKeys: leave(tableName, 'c'),
    });
    const held = Promise.withResolvers<void>();
    faults.plan('BatchGetItem', async (_input, proceed) => {
      await held.promise;
      return await proceed();
    });
    const [a, b, c] = ['a', 'b', 'c'].map((partition) => read(partition));
    expect((await b)?.of?.S).toBe('b');
    expect(await a).toBeUndefined();
    held.resolve();
    expect((await c)?.of?.S).toBe('c');
    expect(clock.sleepsMs).toEqual([25, 50]);
    expect(faults.requests.map(({ input }) => input.RequestItems[tableName])).toEqual([
      { Keys: ['a', 'b', 'c'].map(keyOf), ConsistentRead: true },
      { Keys: ['a', 'b', 'c'].map(keyOf), ConsistentRead: true },
      { Keys: [keyOf('c')], ConsistentRead: true },
    ]);
  });

  it('to the end are Throttled, and only they', async () => {
    await store('a', 'b');
    faults.answer('BatchGetItem', {
      Responses: { [tableName]: [keyOf('a')] },
      UnprocessedKeys: leave(tableName, 'b'),
    });
    for (let round = 2; round <= 8; round += 1) {
      faults.answer('BatchGetItem', { UnprocessedKeys: leave(tableName, 'b') });
    }
    const [a, b] = [read('a'), sagaboxErrorOf(read('b'))];
    expect(await a).toBeDefined();
    const error = await b;
    expect(error.code).toBe('Throttled');
    expect(error.facts).toEqual({ operation: 'BatchGetItem', reason: 'it was left unprocessed 8 times' });
    expect(faults.requests).toHaveLength(8);
    expect(faults.pending).toBe(0);
  });
});

describe('a call that fails', () => {
  it('by throttling is that of all who asked, and is not made again', async () => {
    faults.fail('BatchGetItem', dynamoDBError('ProvisionedThroughputExceededException'));
    const errors = await Promise.all(['a', 'b'].map((partition) => sagaboxErrorOf(read(partition))));
    expect(errors.map(({ code }) => code)).toEqual(['Throttled', 'Throttled']);
    expect(faults.requests).toHaveLength(1);
  });

  it('for one of the tables fails only those who asked for it', async () => {
    await store('a', 'b');
    const missing = `missing-${randomUUID()}`;
    const [a, lost, b] = await Promise.allSettled([read('a'), read('x', { table: missing }), read('b')]);
    expect([a, b]).toEqual([
      { status: 'fulfilled', value: expect.objectContaining({ of: { S: 'a' } }) },
      { status: 'fulfilled', value: expect.objectContaining({ of: { S: 'b' } }) },
    ]);
    expect(lost).toMatchObject({
      status: 'rejected',
      reason: { code: 'TableNotFound', facts: { tableNames: [missing] } },
    });
    expect(keyCounts()).toEqual([[2, 1], [1], [1], [1]]);
  });

  it('for one of the keys fails only who asked for that', async () => {
    await store('a');
    const asked = await Promise.allSettled([read('a'), read('')]);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(asked[1]).toMatchObject({ reason: { code: 'RequestRejected' } });
  });
});

describe('the capacity of a shared read', () => {
  const unitsOf = (meters: readonly CapacityMeter[]) => meters.map(({ total }) => total.readUnits);
  const meters = (count: number) => Array.from({ length: count }, () => new CapacityMeter());

  it('is split by the size of what each found', async () => {
    await store('a', 'b');
    await putItem(otherClient, tableName, { ...keyOf('large'), text: { S: 'x'.repeat(4096) } });
    const [a, b, large] = meters(3);
    await Promise.all([read('a', { meter: a }), read('large', { meter: large }), read('b', { meter: b })]);
    expect([a, b, large].map((meter) => meter?.total)).toEqual([
      { readUnits: 1, writeUnits: 0 },
      { readUnits: 1, writeUnits: 0 },
      { readUnits: 2, writeUnits: 0 },
    ]);
  });

  it('counts a miss as the smallest item, half when it is eventual', async () => {
    await store('a');
    const other = await createTable();
    // The engine reports nothing for a miss, which DynamoDB charges.
    faults.answer('BatchGetItem', {
      Responses: { [tableName]: [{ ...keyOf('a'), of: { S: 'a' } }] },
      ConsumedCapacity: [
        { TableName: tableName, CapacityUnits: 2 },
        { TableName: other, CapacityUnits: 0.5 },
      ],
    });
    const all = meters(3);
    await Promise.all([
      read('a', { meter: all[0] }),
      read('none', { meter: all[1] }),
      read('none', { table: other, consistentRead: false, meter: all[2] }),
    ]);
    expect(unitsOf(all)).toEqual([1, 1, 0.5]);
  });

  it('is in sum exactly what was reported, however it is split', async () => {
    faults.answer('BatchGetItem', { ConsumedCapacity: [{ TableName: tableName, CapacityUnits: 1 }] });
    const delivery = new CapacityMeter();
    const all = Array.from({ length: 3 }, () => new CapacityMeter(delivery));
    await Promise.all(all.map((meter, index) => read(String(index), { meter })));
    expect(delivery.total.readUnits).toBe(1);
    expect(unitsOf(all).every((units) => Math.abs(units - 1 / 3) < 1e-9)).toBe(true);
  });

  it('of one item is halved between two who asked for it', async () => {
    await store('a');
    const all = meters(2);
    await Promise.all(all.map((meter) => read('a', { meter })));
    expect(unitsOf(all)).toEqual([0.5, 0.5]);
  });

  it('of what was left unprocessed is paid when it is read', async () => {
    await store('a', 'b');
    faults.answer('BatchGetItem', {
      Responses: { [tableName]: [{ ...keyOf('a'), of: { S: 'a' } }] },
      UnprocessedKeys: { [tableName]: { Keys: [keyOf('b')] } },
      ConsumedCapacity: [{ TableName: tableName, CapacityUnits: 3 }],
    });
    const all = meters(2);
    await Promise.all(['a', 'b'].map((partition, index) => read(partition, { meter: all[index] })));
    expect(unitsOf(all)).toEqual([3, 1]);
  });
});
