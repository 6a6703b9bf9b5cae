import { randomUUID } from 'node:crypto';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import {
  checkOf,
  deleteOf,
  padOf,
  put,
  putOf,
  refusalOf,
  sized,
  stored,
  transact,
  unitsOf,
  unitsOfCall,
  withUnits,
} from './observations.ts';

const KILOBYTE = 1024;
const readsAndWrites = 'DynamoDB read and write operations';

async function unitsOfPut({ client, tableName }: Bench, Item: Item): Promise<number | undefined> {
  const command = new PutItemCommand({ TableName: tableName, Item, ...withUnits });
  return await unitsOfCall(client.send(command));
}

async function unitsOfGet(bench: Bench, Key: Item, ConsistentRead: boolean, projection?: string) {
  const command = new GetItemCommand({
    TableName: bench.tableName,
    Key,
    ConsistentRead,
    ...withUnits,
    ...(projection && { ProjectionExpression: projection }),
  });
  return await unitsOfCall(bench.client.send(command));
}

/** Of an update that gives an item of so many bytes a text of so many. */
async function unitsOfUpdate(bench: Bench, bytesBefore: number, padAfter: number) {
  const command = new UpdateItemCommand({
    TableName: bench.tableName,
    Key: await stored(bench, bytesBefore),
    UpdateExpression: 'SET filling = :filling',
    ExpressionAttributeValues: { ':filling': padOf(padAfter) },
    ...withUnits,
  });
  return await unitsOfCall(bench.client.send(command));
}

async function unitsOfDelete({ client, tableName }: Bench, Key: Item) {
  const command = new DeleteItemCommand({ TableName: tableName, Key, ...withUnits });
  return await unitsOfCall(client.send(command));
}

async function unitsOfBatchGet({ client, tableName }: Bench, Keys: Item[], ConsistentRead: boolean) {
  const command = new BatchGetItemCommand({
    RequestItems: { [tableName]: { Keys, ConsistentRead } },
    ...withUnits,
  });
  return await unitsOfCall(client.send(command));
}

async function unitsOfQuery(
  { client, tableName }: Bench,
  { PK }: Item,
  ConsistentRead: boolean,
  more: object = {},
) {
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': PK as { S: string } },
    ConsistentRead,
    ...withUnits,
    ...more,
  });
  return await unitsOfCall(client.send(command));
}

async function unitsOfTransaction(bench: Bench, items: TransactWriteItem[]) {
  return unitsOf(await transact(bench, items));
}

export const capacity: readonly Behaviour[] = [
  {
    states: 'a put takes a unit for each KB of the item, rounded up',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfPut(bench, sized(bench.newKey(), KILOBYTE)),
      await unitsOfPut(bench, sized(bench.newKey(), KILOBYTE + 1)),
    ],
    onDynamoDB: [1, 2],
  },
  {
    states:
      'a put over an item, and an update, take the units of the larger one of the item before and after',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfPut(bench, sized(await stored(bench, 3 * KILOBYTE), 100)),
      await unitsOfPut(bench, sized(await stored(bench, 100), 3 * KILOBYTE)),
      await unitsOfUpdate(bench, 3 * KILOBYTE, 10),
      await unitsOfUpdate(bench, 100, 2 * KILOBYTE),
    ],
    onDynamoDB: [3, 3, 3, 3],
  },
  {
    states: 'a delete takes the units of the item that it deletes, and 1 where there is none',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfDelete(bench, await stored(bench, 3 * KILOBYTE)),
      await unitsOfDelete(bench, bench.newKey()),
    ],
    onDynamoDB: [3, 1],
  },
  {
    states:
      'a consistent read takes a unit for each 4 KB of the item, an eventually consistent one half of it',
    source: readsAndWrites,
    observe: async (bench) => {
      const [four, more] = [await stored(bench, 4 * KILOBYTE), await stored(bench, 4 * KILOBYTE + 1)];
      return [
        await unitsOfGet(bench, four, true),
        await unitsOfGet(bench, more, true),
        await unitsOfGet(bench, four, false),
        await unitsOfGet(bench, more, false),
      ];
    },
    onDynamoDB: [1, 2, 0.5, 1],
  },
  {
    states: 'GetItem of an item that is not there takes the smallest read',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfGet(bench, bench.newKey(), true),
      await unitsOfGet(bench, bench.newKey(), false),
    ],
    onDynamoDB: [1, 0.5],
  },
  {
    states: 'GetItem with a projection takes the units of the whole item',
    source: readsAndWrites,
    observe: async (bench) => await unitsOfGet(bench, await stored(bench, 9_000), true, 'SK'),
    onDynamoDB: 3,
    difference: 'projected-reads',
    instead: { dynoxide: 1 },
  },
  {
    states: 'BatchGetItem takes the sum of its reads, each rounded up by itself',
    source: 'BatchGetItem',
    observe: async (bench) => {
      const keys = [await stored(bench, 100), await stored(bench, 4 * KILOBYTE + 1)];
      return [await unitsOfBatchGet(bench, keys, true), await unitsOfBatchGet(bench, keys, false)];
    },
    onDynamoDB: [3, 1.5],
  },
  {
    states: 'BatchGetItem takes the smallest read for each item that is not there',
    source: readsAndWrites,
    observe: async (bench) => {
      const keys = [bench.newKey(), bench.newKey(), await stored(bench, 100)];
      return [await unitsOfBatchGet(bench, keys, true), await unitsOfBatchGet(bench, keys, false)];
    },
    onDynamoDB: [3, 1.5],
  },
  {
    states: 'a query sums the sizes of its items, and rounds up once',
    source: readsAndWrites,
    observe: async (bench) => {
      const key = bench.newKey();
      const sortKeys = ['1', '2', '3'];
      await Promise.all(sortKeys.map((SK) => put(bench, sized({ ...key, SK: { S: SK } }, 1_500))));
      return [await unitsOfQuery(bench, key, true), await unitsOfQuery(bench, key, false)];
    },
    onDynamoDB: [2, 1],
  },
  {
    states: 'a query that finds nothing takes the smallest read',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfQuery(bench, bench.newKey(), true),
      await unitsOfQuery(bench, bench.newKey(), false),
    ],
    onDynamoDB: [1, 0.5],
  },
  {
    states: 'a query takes the units of what it reads, whatever its projection and filter leave of it',
    source: readsAndWrites,
    observe: async (bench) => {
      const key = await stored(bench, 9_000);
      return [
        await unitsOfQuery(bench, key, true, { ProjectionExpression: 'SK' }),
        await unitsOfQuery(bench, key, true, { FilterExpression: 'attribute_exists(absent)' }),
      ];
    },
    onDynamoDB: [3, 3],
  },
  {
    states: 'a scan takes the units of what it reads, whatever its projection and filter leave of it',
    source: readsAndWrites,
    observe: async (bench) => {
      const TableName = bench.scannedTableName;
      await put({ ...bench, tableName: TableName }, sized(bench.newKey(), 9_000));
      const units = (more: object) =>
        unitsOfCall(bench.client.send(new ScanCommand({ TableName, ...withUnits, ...more })));
      return [
        await units({ ConsistentRead: true, ProjectionExpression: 'SK' }),
        await units({ FilterExpression: 'attribute_exists(absent)' }),
      ];
    },
    onDynamoDB: [3, 1.5],
  },
  {
    states: 'BatchWriteItem takes the sum of its writes, each rounded up by itself',
    source: 'BatchWriteItem',
    observe: async (bench) => {
      const Key = await stored(bench, 2 * KILOBYTE + 1);
      const command = new BatchWriteItemCommand({
        RequestItems: {
          [bench.tableName]: [
            { PutRequest: { Item: bench.newKey() } },
            { PutRequest: { Item: sized(await stored(bench, 3 * KILOBYTE), 100) } },
            { DeleteRequest: { Key } },
          ],
        },
        ...withUnits,
      });
      return await unitsOfCall(bench.client.send(command));
    },
    onDynamoDB: 1 + 3 + 3,
  },
  {
    states: 'BatchWriteItem takes 1 for the delete of an item that is not there',
    source: 'BatchWriteItem',
    observe: async (bench) => {
      const Key = bench.newKey();
      const command = new BatchWriteItemCommand({
        RequestItems: { [bench.tableName]: [{ DeleteRequest: { Key } }] },
        ...withUnits,
      });
      return await unitsOfCall(bench.client.send(command));
    },
    onDynamoDB: 1,
  },
  {
    states:
      'a transaction takes twice the units of its writes, each rounded up by itself: 500 and 1,500 bytes take 6',
    source: readsAndWrites,
    observe: async (bench) =>
      await unitsOfTransaction(bench, [
        putOf(bench, sized(bench.newKey(), 500)),
        putOf(bench, sized(bench.newKey(), 1_500)),
      ]),
    onDynamoDB: 6,
  },
  {
    states: 'a put over a larger item in a transaction takes twice the units of that item',
    source: readsAndWrites,
    observe: async (bench) =>
      await unitsOfTransaction(bench, [putOf(bench, sized(await stored(bench, 3 * KILOBYTE), 100))]),
    onDynamoDB: 6,
  },
  {
    states:
      'a delete in a transaction takes twice the units of the item that it deletes, and 2 where there is none',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfTransaction(bench, [deleteOf(bench, await stored(bench, 3 * KILOBYTE))]),
      await unitsOfTransaction(bench, [deleteOf(bench, bench.newKey())]),
    ],
    onDynamoDB: [6, 2],
  },
  {
    states:
      'two deletes of items that are not there take 4 in a transaction with a put of 1,500 bytes, which takes 4',
    source: readsAndWrites,
    observe: async (bench) =>
      await unitsOfTransaction(bench, [
        deleteOf(bench, bench.newKey()),
        deleteOf(bench, bench.newKey()),
        putOf(bench, sized(bench.newKey(), 1_500)),
      ]),
    onDynamoDB: 8,
  },
  {
    states: 'a condition check of an item up to 1 KB, and of one that is not there, takes 2',
    source: readsAndWrites,
    observe: async (bench) => [
      await unitsOfTransaction(bench, [
        checkOf(bench, await stored(bench, 100), 'attribute_exists'),
        putOf(bench, bench.newKey()),
      ]),
      await unitsOfTransaction(bench, [
        checkOf(bench, bench.newKey(), 'attribute_not_exists'),
        putOf(bench, bench.newKey()),
      ]),
    ],
    onDynamoDB: [4, 4],
  },
  {
    states: 'a condition check of a larger item takes twice its units, as a write of it would',
    source: readsAndWrites,
    observe: async (bench) =>
      await unitsOfTransaction(bench, [
        checkOf(bench, await stored(bench, 3 * KILOBYTE), 'attribute_exists'),
        putOf(bench, bench.newKey()),
      ]),
    onDynamoDB: 8,
  },
  {
    states:
      'a transaction that is sent again with its token takes the reads of its items: 2 for each 4 KB, and no writes',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const token = randomUUID();
      const items = [putOf(bench, sized(bench.newKey(), 500)), putOf(bench, sized(bench.newKey(), 1_500))];
      await transact(bench, items, token);
      const [again] = await transact(bench, items, token);
      return [again?.CapacityUnits, again?.ReadCapacityUnits, again?.WriteCapacityUnits];
    },
    onDynamoDB: [4, 4, undefined],
  },
  {
    states: 'a transaction over several tables tells the units of each',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const other = { ...bench, tableName: bench.otherTableName };
      const consumed = await transact(bench, [
        putOf(bench, sized(bench.newKey(), 1_500)),
        putOf(other, other.newKey()),
      ]);
      const of = (tableName: string) =>
        consumed.find(({ TableName }) => TableName === tableName)?.CapacityUnits;
      return [of(bench.tableName), of(other.tableName)];
    },
    onDynamoDB: [4, 2],
  },
  {
    states: 'a write that is refused, and a transaction that is cancelled, do not tell what they took',
    source: readsAndWrites,
    observe: async (bench) => {
      const key = await stored(bench, 100);
      const refusals = [
        await refusalOf(
          bench.client.send(
            new PutItemCommand({
              TableName: bench.tableName,
              Item: key,
              ConditionExpression: 'attribute_not_exists(PK)',
              ...withUnits,
            }),
          ),
        ),
        await refusalOf(transact(bench, [checkOf(bench, key, 'attribute_not_exists')])),
      ];
      return refusals.map((refusal) => [refusal?.name, refusal && 'ConsumedCapacity' in refusal]);
    },
    onDynamoDB: [
      ['ConditionalCheckFailedException', false],
      ['TransactionCanceledException', false],
    ],
  },
  {
    states: 'a number takes a byte for about two of its significant digits, and one more',
    source: 'DynamoDB item sizes and formats',
    observe: async (bench) => {
      // 12345 takes 4 bytes by each way of counting, 110 takes 2 or 3: an item that is full to the byte tells
      // which.
      const fits = async (N: string, bytes: number) => {
        const key = { ...bench.newKey(), n: { N: '1' } };
        const size = KILOBYTE - (bytes - 2);
        return (await unitsOfPut(bench, { ...sized(key, size), n: { N } })) === 1;
      };
      return [await fits('12345', 4), await fits('12345', 3), await fits('110', 3), await fits('110', 2)];
    },
    onDynamoDB: [true, false, true, false],
    difference: 'number-sizes',
    instead: { dynoxide: [true, false, true, true] },
  },
];
