import { BatchGetItemCommand, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { outcomeOf, put, read, sized } from './observations.ts';

const keysOf = (bench: Bench, count: number) => Array.from({ length: count }, () => bench.newKey());

function getAll({ client, tableName }: Bench, Keys: Item[]) {
  return client.send(
    new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }),
  );
}

function putAll({ client, tableName }: Bench, items: Item[]) {
  return client.send(
    new BatchWriteItemCommand({
      RequestItems: { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
    }),
  );
}

async function outcomesOf(bench: Bench, call: typeof getAll | typeof putAll, counts: readonly number[]) {
  const outcomes: string[] = [];
  for (const count of counts) outcomes.push(await outcomeOf(call(bench, keysOf(bench, count))));
  return outcomes;
}

export const batches: readonly Behaviour[] = [
  {
    states: 'BatchGetItem takes 100 keys, not 101',
    source: 'BatchGetItem',
    observe: (bench) => outcomesOf(bench, getAll, [100, 101]),
    onDynamoDB: ['accepted', 'ValidationException'],
  },
  {
    states: 'BatchGetItem refuses a key that it is given twice',
    source: 'BatchGetItem',
    observe: async (bench) => {
      const key = bench.newKey();
      return await outcomeOf(getAll(bench, [key, bench.newKey(), key]));
    },
    onDynamoDB: 'ValidationException',
  },
  {
    states:
      'BatchGetItem leaves out what is not there, and reads several tables, each in its own consistency',
    source: 'BatchGetItem',
    observe: async ({ client, tableName, otherTableName, ...bench }) => {
      const here = { client, tableName, otherTableName, ...bench };
      const other = { ...here, tableName: otherTableName };
      const [found, missing, inOther] = [bench.newKey(), bench.newKey(), bench.newKey()];
      await Promise.all([put(here, found), put(other, inOther)]);
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetItemCommand({
          RequestItems: {
            [tableName]: { Keys: [found, missing], ConsistentRead: true },
            [otherTableName]: { Keys: [inOther], ConsistentRead: false },
          },
        }),
      );
      return [
        Responses[tableName]?.map(({ PK }) => PK?.S === found.PK?.S),
        Responses[otherTableName]?.map(({ PK }) => PK?.S === inOther.PK?.S),
        Object.keys(UnprocessedKeys).length,
      ];
    },
    onDynamoDB: [[true], [true], 0],
  },
  {
    states: 'BatchGetItem answers no more than 16 MB, and leaves the other keys unprocessed',
    source: 'BatchGetItem',
    observe: async (bench) => {
      const keys = keysOf(bench, 42);
      await Promise.all(keys.map((key) => put(bench, sized(key, 400 * 1024))));
      const { Responses = {}, UnprocessedKeys = {} } = await getAll(bench, keys);
      const answered = Responses[bench.tableName]?.length ?? 0;
      const left = UnprocessedKeys[bench.tableName]?.Keys?.length ?? 0;
      return [answered < keys.length, answered + left];
    },
    onDynamoDB: [true, 42],
    isLarge: true,
  },
  {
    states: 'BatchWriteItem takes 25 writes, not 26',
    source: 'BatchWriteItem',
    observe: (bench) => outcomesOf(bench, putAll, [25, 26]),
    onDynamoDB: ['accepted', 'ValidationException'],
  },
  {
    states: 'BatchWriteItem refuses two writes of one item, a put and a delete too',
    source: 'BatchWriteItem',
    observe: async (bench) => {
      const key = bench.newKey();
      const { client, tableName } = bench;
      const putAndDelete = new BatchWriteItemCommand({
        RequestItems: { [tableName]: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } }] },
      });
      return [
        await outcomeOf(putAll(bench, [key, { ...key, a: { S: 'a' } }])),
        await outcomeOf(client.send(putAndDelete)),
        await read(bench, key),
      ];
    },
    onDynamoDB: ['ValidationException', 'ValidationException', undefined],
  },
  {
    states: 'BatchWriteItem puts whole items and deletes others, also where nothing is there',
    source: 'BatchWriteItem',
    observe: async (bench) => {
      const [replaced, deleted, missing] = [bench.newKey(), bench.newKey(), bench.newKey()];
      await Promise.all([put(bench, { ...replaced, old: { S: 'old' } }), put(bench, deleted)]);
      const command = new BatchWriteItemCommand({
        RequestItems: {
          [bench.tableName]: [
            { PutRequest: { Item: { ...replaced, new: { S: 'new' } } } },
            { DeleteRequest: { Key: deleted } },
            { DeleteRequest: { Key: missing } },
          ],
        },
      });
      const { UnprocessedItems = {} } = await bench.client.send(command);
      return [
        Object.keys((await read(bench, replaced)) ?? {}).toSorted(),
        await read(bench, deleted),
        Object.keys(UnprocessedItems).length,
      ];
    },
    onDynamoDB: [['PK', 'SK', 'new'], undefined, 0],
  },
];
