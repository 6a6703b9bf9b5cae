import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { returnedIds } from '../support/returned-ids.ts';

/*
 * Reads of several items beside a transaction are read-committed, one by one: a BatchGetItem may see the saga
 * as the transaction leaves it and the outbox record as it was, or the other way round ("Amazon DynamoDB
 * Transactions: How it works"). The answers are made here: one delivery commits, and another one of the same
 * message reads half of that.
 */

let runs: number;
const counterSaga = defineSaga({
  name: 'Counter',
  messages: { Counted: z.object({ counter: z.string() }) },
  correlate: { Counted: (body) => body.counter },
  startedBy: ['Counted'],
  initialState: () => ({ count: 0 }),
  handlers: {
    Counted(_message, { saga, send }) {
      runs += 1;
      saga.state.count += 1;
      send('billing', 'Charge', {});
    },
  },
});

const client = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };

let table: string;
let billing: string;

beforeEach(async () => {
  runs = 0;
  [table, billing] = await Promise.all([createTable(), createQueue()]);
});

/** A function of its own, which does not see the items with these sort keys in its first read. */
async function deliver(messageId: string, ...unseen: string[]): Promise<string[]> {
  const ofFunction = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
  const faults = new ClientFaults(ofFunction.dynamoDBClient);
  faults.plan('BatchGetItem', async (_input, proceed) => {
    const output = (await proceed()) as { Responses: Record<string, { SK: { S: string } }[]> };
    const seen = output.Responses[table]?.filter(({ SK }) => !unseen.includes(SK.S)) ?? [];
    return { ...output, Responses: { [table]: seen } };
  });
  const records = [record('Counted', { counter: 'c' }, messageId)];
  const settings = { endpoint: 'counters', destinations: { billing }, ...ofFunction };
  const returned = await returnedIds(counterSaga, table, records, settings);
  expect(faults.pending).toBe(0);
  return returned;
}

async function storedCount(): Promise<string | undefined> {
  const saga = (await allItems(client.dynamoDBClient, table)).find(({ SK }) => SK?.S === 'SAGA');
  return saga?.state?.M?.count?.N;
}

describe('a delivery that reads half of the transaction of another delivery of its message', () => {
  it.each([
    ['the saga new and the record old: its commit is refused', ['RECORD'], 2],
    ['the record new and the saga old: it is a duplicate', ['SAGA'], 1],
    ['both old: its commit is refused', ['RECORD', 'SAGA'], 2],
    ['both new: it is a duplicate', [], 1],
  ])('sees %s, and applies and sends nothing again', async (_what, unseen, expectedRuns) => {
    expect(await deliver('m1')).toEqual([]);
    expect(await deliver('m1', ...unseen)).toEqual([]);
    expect(runs).toBe(expectedRuns);
    expect(await storedCount()).toBe('1');
    expect(await drain(client.sqsClient, billing)).toHaveLength(1);
  });

  it('of another message, sees the saga old: its commit is refused, and it applies its own once', async () => {
    expect(await deliver('m1')).toEqual([]);
    expect(await deliver('m2', 'SAGA')).toEqual([]);
    expect(runs).toBe(3);
    expect(await storedCount()).toBe('2');
    expect(await drain(client.sqsClient, billing)).toHaveLength(2);
  });
});
