import { randomUUID } from 'node:crypto';
import { type AttributeValue, paginateScan, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { withTable } from '../../test/support/own-engines/tables.ts';
import type { Figures } from '../benchmark/figures.ts';
import { withResources } from '../engines/resources.ts';
import { fill } from './fill.ts';
import { growthOn, pointsOf } from './measure.ts';
import { placeOrder } from './order.ts';

const { signal } = new AbortController();
const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

describe('the growth of what a message costs', () => {
  const depth = { outboxRecords: { fewest: 100, most: 2_000 }, runs: 3, warmUp: 1, idleRelays: 1 } as const;
  let figures: Figures['growth'];
  beforeAll(async () => {
    figures = await growthOn(clients, depth, { signal, progress: () => {} });
  });
  const micros = expect.any(Number);

  it('is none with the records in the outbox table', () => {
    const point = { calls: 4, rcu: 2, wcu: 5, refusedWcu: 0, micros };
    expect(figures.outboxRecords).toEqual({ 100: point, 2000: point });
  });

  it('is none for a relay that finds nothing: half a read unit for its list', () => {
    const point = { calls: 1, rcu: 0.5, wcu: 0, refusedWcu: 0, micros };
    expect(figures.idleRelay).toEqual({ 100: point, 2000: point });
  });

  it('is that of the item of the saga with its state, and no more', () => {
    expect(figures.stateKB).toEqual({
      1: { calls: 4, rcu: 2, wcu: 5, refusedWcu: 0, itemWcu: 2, micros },
      10: { calls: 4, rcu: 4, wcu: 23, refusedWcu: 0, itemWcu: 20, micros },
      100: { calls: 4, rcu: 26, wcu: 199, refusedWcu: 0, itemWcu: 196, micros },
    });
  });

  it('is less with a compressed state, which a small saga has not', () => {
    expect(figures.compressedStateKB).toEqual({
      1: { calls: 4, rcu: 2, wcu: 5, refusedWcu: 0, itemWcu: 2, micros },
      10: { calls: 4, rcu: 2, wcu: 11, refusedWcu: 0, itemWcu: 8, micros },
      100: { calls: 4, rcu: 8, wcu: 55, refusedWcu: 0, itemWcu: 52, micros },
    });
  });

  it('is measured no longer than until it is interrupted', async () => {
    const interrupt = AbortSignal.abort(new Error('enough'));
    await expect(growthOn(clients, depth, { signal: interrupt, progress: () => {} })).rejects.toThrow(
      'enough',
    );
  });
});

describe('the records that a table is filled with', () => {
  it('are as many as asked for, and just like those that sagabox leaves', async () => {
    await withResources(clients, 'growth', async (resources) => {
      await (await placeOrder(resources, 1_000)).pack();
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

describe('an order of a size', () => {
  it.each([1_000, 10_000])('has an item of nearly, and at most, %i bytes', async (bytes) => {
    await withResources(clients, 'growth', async (resources) => {
      const { itemBytes } = await placeOrder(resources, bytes);
      expect(itemBytes).toBeLessThanOrEqual(bytes);
      expect(itemBytes).toBeGreaterThan(bytes - 10);
    });
  });
});

describe('the units and the time of works', () => {
  const runs = { runs: 2, warmUp: 1, recorded: 3 };

  it('are not told of calls that were refused', async () => {
    await withResources(clients, 'growth', async (resources) => {
      const { pack } = await placeOrder(resources, 1_000);
      // All work on one saga at the same time, and some of them start over.
      const contended = () => Promise.all([pack(), pack(), pack()]);
      const points = pointsOf(clients, { contended }, runs, signal);
      await expect(points).rejects.toThrow('TransactWriteItems was refused');
    });
  });

  it('are the most that a recorded run took, and the clients are left as they were', async () => {
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
      const { scan } = await pointsOf(clients, { scan: scanMore }, runs, signal);
      expect(scan.calls).toBe(runs.warmUp + runs.runs + runs.recorded);
      expect(scan.micros).toBeGreaterThan(0);
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
