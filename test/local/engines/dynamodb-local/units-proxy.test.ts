import { randomUUID } from 'node:crypto';
import {
  BatchWriteItemCommand,
  type ConsumedCapacity,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startUnitsProxy } from '../../../../lib/local/engines/dynamodb-local/units-proxy.ts';
import type { RunningEngine } from '../../../../lib/local/engines/running-engine.ts';
import { clientAt, dynamoDBClient } from '../../../support/engines.ts';

/**
 * The proxy stands before DynamoDB Local in use. Here it stands before the engine of the tests, which reports
 * what DynamoDB charges: what the proxy makes of a report has to be that report.
 */
const direct = dynamoDBClient();
let proxy: RunningEngine;
let proxied: DynamoDBClient;

beforeAll(async () => {
  proxy = await startUnitsProxy(process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '');
  proxied = clientAt(DynamoDBClient, proxy.endpoint);
});
afterAll(() => proxy.stop());

let tables: readonly [string, string];
beforeEach(async () => {
  tables = [await createIndexedTable(), await createIndexedTable()];
});

/** Its index is sparse: it holds the items that have an attribute. */
async function createIndexedTable(): Promise<string> {
  const TableName = `test-${randomUUID()}`;
  const keys = { PK: 'HASH', SK: 'RANGE' } as const;
  const indexKeys = { openSince: 'HASH' } as const;
  const schemaOf = (schema: Readonly<Record<string, 'HASH' | 'RANGE'>>) =>
    Object.entries(schema).map(([AttributeName, KeyType]) => ({ AttributeName, KeyType }));
  const Projection = { ProjectionType: 'KEYS_ONLY' } as const;
  await direct.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: schemaOf(keys),
      AttributeDefinitions: Object.keys({ ...keys, ...indexKeys }).map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [{ IndexName: 'Open', KeySchema: schemaOf(indexKeys), Projection }],
    }),
  );
  return TableName;
}

type Send = (client: DynamoDBClient, tableName: string) => Promise<{ ConsumedCapacity?: unknown }>;

/** The units of the same call on equal tables: straight from the engine, and through the proxy. */
async function unitsOf(send: Send): Promise<[direct: unknown, proxied: unknown]> {
  const [one, other] = tables;
  const answers = [await send(direct, one), await send(proxied, other)] as const;
  const [first, second] = answers.map(({ ConsumedCapacity: consumed }) =>
    [consumed].flat().map((part) => (part as ConsumedCapacity).CapacityUnits),
  );
  return [first, second];
}

async function expectSameUnits(send: Send, units: number): Promise<void> {
  expect(await unitsOf(send)).toEqual([[units], [units]]);
}

const keyOf = (id: string) => ({ PK: { S: id }, SK: { S: 'x' } });
const itemOf = (id: string, bytes: number, indexed = false) => {
  const item = { ...keyOf(id), ...(indexed && { openSince: { S: '2026' } }) };
  return { ...item, F: { S: 'f'.repeat(bytes - 100) } };
};
type Writes = (TableName: string) => TransactWriteItemsCommandInput['TransactItems'];
const transact =
  (writes: Writes, token?: string): Send =>
  (client, tableName) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: writes(tableName),
        ReturnConsumedCapacity: 'TOTAL',
        ...(token && { ClientRequestToken: `${token}-${tableName}`.slice(0, 36) }),
      }),
    );
const put =
  (...items: ReturnType<typeof itemOf>[]): Writes =>
  (TableName) =>
    items.map((Item) => ({ Put: { TableName, Item } }));

describe('the units of a transaction', () => {
  it.each<[string, Writes[], number]>([
    ['items of 500 and 1,500 bytes', [put(itemOf('a', 500), itemOf('b', 1_500))], 6],
    ['items of one size', [put(itemOf('a', 1_500), itemOf('b', 1_500), itemOf('c', 1_500))], 12],
    ['an item that shrinks', [put(itemOf('a', 3_000)), put(itemOf('a', 200))], 6],
    ['an item that enters the index', [put(itemOf('a', 500, true))], 3],
    ['one that leaves it', [put(itemOf('a', 500, true)), put(itemOf('a', 500))], 3],
    ['one that stays in it', [put(itemOf('a', 500, true)), put(itemOf('a', 600, true))], 2],
    [
      'a delete',
      [put(itemOf('a', 1_500, true)), (TableName) => [{ Delete: { TableName, Key: keyOf('a') } }]],
      5,
    ],
    ['a delete of a missing item', [(TableName) => [{ Delete: { TableName, Key: keyOf('a') } }]], 2],
    [
      'a condition check of 1,500 bytes',
      [
        put(itemOf('a', 1_500)),
        (TableName) => [
          { ConditionCheck: { TableName, Key: keyOf('a'), ConditionExpression: 'attribute_exists(PK)' } },
          { Put: { TableName, Item: itemOf('b', 500) } },
        ],
      ],
      6,
    ],
    [
      'an update that lets an item grow over 2 KB',
      [
        put(itemOf('a', 1_500)),
        (TableName) => [
          {
            Update: {
              TableName,
              Key: keyOf('a'),
              UpdateExpression: 'SET g = :g',
              ExpressionAttributeValues: { ':g': { S: 'g'.repeat(1_000) } },
            },
          },
        ],
      ],
      6,
    ],
  ])('are those of DynamoDB for %s', async (_what, writes, units) => {
    for (const before of writes.slice(0, -1)) await unitsOf(transact(before));
    await expectSameUnits(transact(writes.at(-1) as Writes), units);
  });

  it('are reads where a token is used again', async () => {
    const send = transact(put(itemOf('a', 1_500)), 'token');
    await expectSameUnits(send, 4);
    await expectSameUnits(send, 2);
  });

  it('come in the form that was asked for', async () => {
    const asked = (ReturnConsumedCapacity?: 'INDEXES') =>
      proxied.send(
        new TransactWriteItemsCommand({
          TransactItems: put(itemOf('a', 500, true))(tables[0]),
          ...(ReturnConsumedCapacity && { ReturnConsumedCapacity }),
        }),
      );
    const { ConsumedCapacity: [consumed] = [] } = await asked('INDEXES');
    expect(consumed).toMatchObject({ CapacityUnits: 3, Table: { CapacityUnits: 2 } });
    expect(Object.values(consumed?.GlobalSecondaryIndexes ?? {})).toEqual([{ CapacityUnits: 1 }]);
    expect((await asked()).ConsumedCapacity).toBeUndefined();
  });

  it('are none of one that is refused, whose error comes as it is', async () => {
    const [tableName] = tables;
    const refused = proxied.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          {
            ConditionCheck: {
              TableName: tableName,
              Key: keyOf('a'),
              ConditionExpression: 'attribute_exists(PK)',
            },
          },
        ],
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
    await expect(refused).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
  });
});

describe('the units of other calls', () => {
  it('are those of DynamoDB for a batch of writes, deletes of missing items among them', async () => {
    await unitsOf((client, TableName) =>
      client
        .send(new PutItemCommand({ TableName, Item: itemOf('a', 3_000) }))
        .then(() => ({ ConsumedCapacity: [] })),
    );
    await expectSameUnits(
      (client, tableName) =>
        client.send(
          new BatchWriteItemCommand({
            RequestItems: {
              [tableName]: [
                { PutRequest: { Item: itemOf('a', 200, true) } },
                { DeleteRequest: { Key: keyOf('b') } },
              ],
            },
            ReturnConsumedCapacity: 'TOTAL',
          }),
        ),
      3 + 1 + 1,
    );
  });

  it('are those of DynamoDB for a query and a scan that find nothing', async () => {
    const ReturnConsumedCapacity = 'TOTAL';
    const query = { KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'none' } } };
    await expectSameUnits(
      (client, TableName) =>
        client.send(new QueryCommand({ TableName, ...query, ConsistentRead: true, ReturnConsumedCapacity })),
      1,
    );
    await expectSameUnits(
      (client, TableName) => client.send(new ScanCommand({ TableName, ReturnConsumedCapacity })),
      0.5,
    );
  });
});
