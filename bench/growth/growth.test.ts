import { randomUUID } from 'node:crypto';
import { type AttributeValue, paginateScan, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { withTable } from '../../test/support/own-engines/tables.ts';
import type { GrowthFigures } from '../benchmark/benchmark-figures.ts';
import { withResources } from '../engines/resources.ts';
import { costOf } from './cost.ts';
import { fill } from './fill.ts';
import { interleavedMicros } from './interleaved.ts';
import { growthOn } from './measure.ts';
import { openShipment } from './shipment.ts';

const { signal } = new AbortController();
const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

describe('the growth of what a message costs', () => {
  const depth = { outboxRecords: [100, 2_000], runs: 3, warmUp: 1, idleRelays: 1 } as const;
  let figures: GrowthFigures;
  beforeAll(async () => {
    figures = await growthOn(clients, depth, signal, () => {});
  }, 60_000);
  const microsPerMessage = expect.any(Number);

  it('is none with the records in the outbox table', () => {
    const point = { calls: 4, rcu: 2, wcu: 5, microsPerMessage };
    expect(figures.outboxRecords).toEqual({ 100: point, 2000: point });
  });

  it('is none for a relay that finds nothing: half a read unit for each shard of its index', () => {
    const point = { calls: 16, rcu: 8, wcu: 0, micros: expect.any(Number) };
    expect(figures.idleRelay).toEqual({ 100: point, 2000: point });
  });

  it('is that of the item of the saga with its state, and no more', () => {
    expect(figures.stateKB).toEqual({
      1: { calls: 4, rcu: 2, wcu: 5, itemWcu: 2, microsPerMessage },
      10: { calls: 4, rcu: 4, wcu: 23, itemWcu: 20, microsPerMessage },
      100: { calls: 4, rcu: 26, wcu: 199, itemWcu: 196, microsPerMessage },
    });
  });

  it('is measured no longer than until it is interrupted', async () => {
    const interrupt = AbortSignal.abort(new Error('enough'));
    await expect(growthOn(clients, depth, interrupt, () => {})).rejects.toThrow('enough');
  });
});

describe('the records that a table is filled with', () => {
  it('are as many as asked for, and just like those that sagabox leaves', async () => {
    await withResources(clients, 'growth', async (resources) => {
      const { packParcel } = await openShipment(resources, 1_000);
      await packParcel();
      const [own] = await records(resources.tableName);
      await withTable(clients.dynamoDBClient, newName(), async (tableName) => {
        await fill(clients.dynamoDBClient, tableName, 51, signal);
        const filled = await records(tableName);
        expect(filled).toHaveLength(51);
        for (const record of filled) expect(shapeOf(record)).toEqual(shapeOf(own));
      });
    });
  });
});

describe('a shipment of a size', () => {
  it.each([1_000, 10_000])('has an item of nearly, and at most, %i bytes', async (bytes) => {
    await withResources(clients, 'growth', async (resources) => {
      const { itemBytes } = await openShipment(resources, bytes);
      expect(itemBytes).toBeLessThanOrEqual(bytes);
      expect(itemBytes).toBeGreaterThan(bytes - 10);
    });
  });
});

describe('works that take turns', () => {
  it('are run equally often, none always behind the same other one, and timed but for the warm-up', async () => {
    const order: string[] = [];
    const works = ['a', 'b'].map((name) => async () => void order.push(name));
    const micros = await interleavedMicros(works, { runs: 2, warmUp: 1 }, signal);
    expect(order.join('')).toBe('abbaab');
    expect(micros).toHaveLength(2);
    for (const taken of micros) expect(taken).toBeGreaterThan(0);
  });
});

describe('a cost', () => {
  it('is not told of calls that were refused', async () => {
    await withResources(clients, 'growth', async (resources) => {
      const { packParcel } = await openShipment(resources, 1_000);
      // Both work on one saga at the same time, and one of them starts over.
      const contended = () => Promise.all([packParcel(), packParcel(), packParcel()]);
      await expect(costOf(clients, contended, 3)).rejects.toThrow('TransactWriteItems was refused');
    });
  });

  it('is the most that a run took, and the clients are left as they were', async () => {
    const before = clients.dynamoDBClient.middlewareStack.identify();
    await withTable(clients.dynamoDBClient, newName(), async (tableName) => {
      let scans = 0;
      const scanMore = async () => {
        scans += 1;
        for (let scan = 0; scan < scans; scan += 1) {
          await clients.dynamoDBClient.send(
            new ScanCommand({ TableName: tableName, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }),
          );
        }
      };
      expect(await costOf(clients, scanMore, 3)).toMatchObject({ calls: 3 });
    });
    expect(clients.dynamoDBClient.middlewareStack.identify()).toEqual(before);
  });
});

function newName(): string {
  return `growth-${randomUUID()}`;
}

async function records(tableName: string) {
  const found = [];
  for await (const { Items = [] } of paginateScan(
    { client: clients.dynamoDBClient },
    {
      TableName: tableName,
      FilterExpression: 'SK = :record',
      ExpressionAttributeValues: { ':record': { S: 'RECORD' } },
    },
  )) {
    found.push(...Items);
  }
  return found.filter(({ operationCount }) => operationCount?.N === '1');
}

/** Names, types, and the lengths of the values. */
function shapeOf(item: Awaited<ReturnType<typeof records>>[number] = {}) {
  const lengthOf = (value: AttributeValue) => value.B?.byteLength ?? JSON.stringify(value).length;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, lengthOf(value)]));
}
