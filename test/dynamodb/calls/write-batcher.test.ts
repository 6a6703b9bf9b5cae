import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type UnconditionalWrite, WriteBatcher } from '../../../lib/dynamodb/calls/write-batcher.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { InFlight } from '../../../lib/kernel/calls/in-flight.ts';
import type { Clock } from '../../../lib/kernel/clock.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { dynamoDBError } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { allItems, keyOf, putItem } from '../../support/raw-items.ts';
import { watchedClient } from '../../support/watched-client.ts';

const { client, faults } = watchedClient(dynamoDBClient());
const otherClient = dynamoDBClient();

let tableName: string;
let clock: MovingClock;
let dispatches: InFlight;
let writes: WriteBatcher;

beforeEach(async () => {
  tableName = await createTable();
  clock = new MovingClock();
  dispatches = new InFlight();
  writes = new WriteBatcher(client, { clock, random: () => 0.5 }, dispatches);
});

async function put(partition: string, overrides: Partial<UnconditionalWrite> = {}): Promise<void> {
  const key = keyOf(partition);
  const item = { ...key, of: { S: partition } };
  await writes.write({ tableName, key, item, bytes: 100, meter: new CapacityMeter(), ...overrides });
}

const remove = (partition: string) => put(partition, { item: undefined });
const stored = async (table = tableName) => (await allItems(otherClient, table)).map(({ PK }) => PK?.S);
const sizes = () =>
  faults.requests.map(({ input }) =>
    Object.values(input.RequestItems as Record<string, WriteRequest[]>).map(({ length }) => length),
  );
const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

describe('writes that are asked for at once', () => {
  it('are one call, puts and deletes, and of several tables', async () => {
    const other = await createTable();
    await putItem(otherClient, tableName, keyOf('old'));
    await Promise.all([put('a'), remove('old'), put('b'), put('a', { tableName: other })]);
    expect(sizes()).toEqual([[3, 1]]);
    expect(await stored()).toEqual(['a', 'b']);
    expect(await stored(other)).toEqual(['a']);
  });

  it.each([
    [25, [[25]]],
    [26, [[25], [1]]],
  ])('of %i items are calls of %j', async (count, calls) => {
    await Promise.all(Array.from({ length: count }, (_, index) => put(String(index))));
    expect(sizes()).toEqual(calls);
    expect(await stored()).toHaveLength(count);
  });

  it('of one item never go in one call, which would be refused', async () => {
    await Promise.all([put('a'), put('b'), put('a')]);
    expect(sizes()).toEqual([[2], [1]]);
  });

  it('of one key in two tables do', async () => {
    const other = await createTable();
    await Promise.all([put('a'), put('a', { tableName: other })]);
    expect(sizes()).toEqual([[1, 1]]);
  });
});

describe('a write', () => {
  it('goes at once when nothing is being dispatched', async () => {
    await put('a');
    expect(clock.sleepsMs).toEqual([]);
  });

  it('waits for what is being dispatched, and takes its writes along', async () => {
    const sleeping = new WriteBatcher(client, { clock: new PatientClock(), random: () => 0.5 }, dispatches);
    const { promise: sent, resolve: end } = Promise.withResolvers<void>();
    const dispatch = dispatches.during(sent);
    const write = (partition: string) =>
      sleeping.write({
        tableName,
        key: keyOf(partition),
        item: keyOf(partition),
        bytes: 100,
        meter: new CapacityMeter(),
      });
    const first = write('a');
    await turns();
    expect(faults.requests).toEqual([]);
    end();
    await Promise.all([first, dispatch.then(() => write('b'))]);
    expect(sizes()).toEqual([[2]]);
  });

  it('waits no longer than 100 ms', async () => {
    const { promise: sent, resolve: end } = Promise.withResolvers<void>();
    const dispatch = dispatches.during(sent);
    await put('a');
    expect(clock.sleepsMs).toEqual([100]);
    expect(await stored()).toEqual(['a']);
    end();
    await dispatch;
  });
});

describe('items that DynamoDB leaves unprocessed', () => {
  it('are written again, they alone, after growing delays', async () => {
    faults.plan('BatchWriteItem', async ({ RequestItems }) => ({
      $metadata: {},
      UnprocessedItems: { [tableName]: RequestItems[tableName].slice(1) },
    }));
    faults.plan('BatchWriteItem', async ({ RequestItems }) => ({
      $metadata: {},
      UnprocessedItems: RequestItems,
    }));
    await Promise.all([put('a'), put('b'), remove('c')]);
    expect(sizes()).toEqual([[3], [2], [2]]);
    expect(clock.sleepsMs).toEqual([25, 50]);
    expect(await stored()).toEqual(['b']);
  });

  it('to the end are Throttled, and only they', async () => {
    for (let round = 1; round <= 8; round += 1) {
      faults.answer('BatchWriteItem', {
        UnprocessedItems: { [tableName]: [{ PutRequest: { Item: { ...keyOf('b'), of: { S: 'b' } } } }] },
      });
    }
    const [a, b] = [put('a'), sagaboxErrorOf(put('b'))];
    await a;
    const error = await b;
    expect(error.code).toBe('Throttled');
    expect(error.facts).toEqual({ operation: 'BatchWriteItem', reason: 'it was left unprocessed 8 times' });
    expect(faults.pending).toBe(0);
  });

  it('are not written again once nobody waits for them', async () => {
    const controllers = [new AbortController(), new AbortController()];
    const [first, second] = controllers as [AbortController, AbortController];
    faults.plan(
      'BatchWriteItem',
      async ({ RequestItems }) => {
        first.abort();
        return { $metadata: {}, UnprocessedItems: RequestItems };
      },
      2,
    );
    const sleep: Clock['sleep'] = async () => {
      if (faults.requests.length === 2) second.abort();
    };
    writes = new WriteBatcher(
      client,
      { clock: { now: () => clock.now(), sleep }, random: () => 0.5 },
      dispatches,
    );
    const errors = await Promise.all([
      sagaboxErrorOf(put('a', { signal: first.signal })),
      sagaboxErrorOf(put('b', { signal: second.signal })),
    ]);
    const reason = 'it was left unprocessed 2 times';
    expect(errors.map(({ facts }) => facts)).toEqual(Array(2).fill({ operation: 'BatchWriteItem', reason }));
    expect(faults.requests).toHaveLength(2);
  });
});

describe('a call that fails', () => {
  it('by throttling is that of all who asked, and is not made again', async () => {
    faults.fail('BatchWriteItem', dynamoDBError('ThrottlingException'));
    const errors = await Promise.all(['a', 'b'].map((partition) => sagaboxErrorOf(put(partition))));
    expect(errors.map(({ code }) => code)).toEqual(['Throttled', 'Throttled']);
    expect(faults.requests).toHaveLength(1);
  });

  it('for one of the items fails only who asked for that', async () => {
    const tooLarge = { ...keyOf('large'), text: { S: 'x'.repeat(401 * 1024) } };
    const outcomes = await Promise.allSettled([put('a'), put('large', { item: tooLarge }), put('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'RequestRejected' } });
    expect(await stored()).toEqual(['a', 'b']);
  });
});

describe('the capacity of a shared write', () => {
  it('is split by the sizes of the items, and is in sum what was reported', async () => {
    const delivery = new CapacityMeter();
    const meters = Array.from({ length: 3 }, () => new CapacityMeter(delivery));
    faults.answer('BatchWriteItem', { ConsumedCapacity: [{ TableName: tableName, CapacityUnits: 5 }] });
    await Promise.all(
      [100, 1024, 1025].map((bytes, index) =>
        put(String(index), { bytes, meter: meters[index] as CapacityMeter }),
      ),
    );
    expect(meters.map(({ total }) => total.writeUnits)).toEqual([1.25, 1.25, 2.5]);
    expect(delivery.total).toEqual({ readUnits: 0, writeUnits: 5 });
  });

  it('of each table is paid by those who write to it', async () => {
    const other = await createTable();
    const [one, two] = [new CapacityMeter(), new CapacityMeter()];
    await putItem(otherClient, other, { ...keyOf('a'), text: { S: 'x'.repeat(3000) } });
    await Promise.all([put('a', { meter: one }), put('a', { tableName: other, meter: two })]);
    expect([one, two].map(({ total }) => total.writeUnits)).toEqual([1, 3]);
  });
});

/** Sleeps until it is called off. */
class PatientClock extends MovingClock {
  override async sleep(_durationMs: number, signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  }
}
