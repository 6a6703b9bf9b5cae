import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { relayIndex } from '../../../lib/core/storage/relay-index.ts';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench, UnshownBehaviour } from './behaviour.ts';
import { outcomeOf, sized, transact, unitsOf, unitsOfCall, withUnits } from './observations.ts';

const globalIndexes = 'Using Global Secondary Indexes in DynamoDB';

const storedAt = (second: number) => ({ S: `2026-01-02T03:04:0${second}.000Z` });

/** A record that the index has, in a shard of its own. */
function indexed(bench: Bench, second = 5): Item {
  const key = bench.newKey();
  return { ...key, recoveryShard: key.PK as AttributeValue, storedAt: storedAt(second), text: { S: 'text' } };
}

const keyOf = ({ PK, SK }: Item) => ({ PK, SK }) as Item;

async function unitsOfPut({ client, indexedTableName }: Bench, Item: Item) {
  const command = new PutItemCommand({ TableName: indexedTableName, Item, ...withUnits });
  return await unitsOfCall(client.send(command));
}

function query({ client, indexedTableName }: Bench, shard: AttributeValue | undefined, more: object = {}) {
  return client.send(
    new QueryCommand({
      TableName: indexedTableName,
      IndexName: relayIndex.indexName,
      KeyConditionExpression: 'recoveryShard = :shard AND storedAt < :before',
      ExpressionAttributeValues: { ':shard': shard ?? { S: '' }, ':before': storedAt(8) },
      ...withUnits,
      ...more,
    }),
  );
}

export const indexes: readonly Behaviour[] = [
  {
    states: 'an item is in an index only while it has the attributes of its key',
    source: 'Take advantage of sparse indexes',
    observe: async (bench) => {
      const item = indexed(bench);
      const count = async () => (await query(bench, item.recoveryShard)).Count;
      const { recoveryShard, ...without } = item;
      await unitsOfPut(bench, without);
      const before = await count();
      await unitsOfPut(bench, item);
      const within = await count();
      await unitsOfPut(bench, without);
      return [before, within, await count()];
    },
    onDynamoDB: [0, 1, 0],
  },
  {
    states:
      'an item leaves an index with the attribute of its sort key, which an update or a statement removes',
    source: 'Take advantage of sparse indexes',
    observe: async (bench) => {
      const { client, indexedTableName } = bench;
      const [updated, stated] = [indexed(bench), indexed(bench)];
      const shard = updated.recoveryShard as AttributeValue;
      for (const item of [updated, stated]) await unitsOfPut(bench, { ...item, recoveryShard: shard });
      const UpdateExpression = 'REMOVE storedAt';
      await client.send(
        new UpdateItemCommand({ TableName: indexedTableName, Key: keyOf(updated), UpdateExpression }),
      );
      const within = (await query(bench, shard)).Count;
      const text = `UPDATE "${indexedTableName}" SET "pending" = ? REMOVE "storedAt" WHERE "PK" = ? AND "SK" = ?`;
      const Parameters = [{ M: {} }, ...Object.values(keyOf(stated))];
      await client.send(new BatchExecuteStatementCommand({ Statements: [{ Statement: text, Parameters }] }));
      return [within, (await query(bench, shard)).Count];
    },
    onDynamoDB: [1, 0],
  },
  {
    states: 'an index of the keys alone returns the keys of table and index, in the order of its sort key',
    source: globalIndexes,
    observe: async (bench) => {
      const [late, early, tooLate] = [indexed(bench, 7), indexed(bench, 3), indexed(bench, 8)];
      const shard = late.recoveryShard as AttributeValue;
      for (const item of [late, early, tooLate]) await unitsOfPut(bench, { ...item, recoveryShard: shard });
      const { Items = [] } = await query(bench, shard);
      return [
        Items.map(({ PK }) => PK?.S).join() === [early.PK?.S, late.PK?.S].join(),
        Object.keys(Items[0] ?? {}).toSorted(),
      ];
    },
    onDynamoDB: [true, ['PK', 'SK', 'recoveryShard', 'storedAt']],
  },
  {
    states: 'a consistent read of a global index is refused',
    source: globalIndexes,
    observe: async (bench) => await outcomeOf(query(bench, { S: 'none' }, { ConsistentRead: true })),
    onDynamoDB: 'ValidationException',
  },
  {
    states: 'a query of an index that finds nothing takes 0.5',
    source: 'DynamoDB read and write operations',
    observe: async (bench) => await unitsOfCall(query(bench, { S: 'none' })),
    onDynamoDB: 0.5,
  },
  {
    states:
      'an item that enters an index takes 1 more, one that leaves it 1 more, one that the index does not have none',
    source: globalIndexes,
    observe: async (bench) => {
      const item = indexed(bench);
      const { recoveryShard, ...without } = item;
      return [
        await unitsOfPut(bench, without),
        await unitsOfPut(bench, item),
        await unitsOfPut(bench, without),
        await unitsOfPut(bench, without),
      ];
    },
    onDynamoDB: [1, 2, 2, 1],
  },
  {
    states: 'an update that leaves the attributes of an index as they are takes nothing for it',
    source: globalIndexes,
    observe: async (bench) => {
      const item = indexed(bench);
      await unitsOfPut(bench, item);
      const command = new UpdateItemCommand({
        TableName: bench.indexedTableName,
        Key: keyOf(item),
        UpdateExpression: 'SET lease = :lease',
        ExpressionAttributeValues: { ':lease': { S: 'mine' } },
        ...withUnits,
      });
      return await unitsOfCall(bench.client.send(command));
    },
    onDynamoDB: 1,
  },
  {
    states: 'an item that moves within an index takes 2 more: one to leave its place, one to enter the other',
    source: globalIndexes,
    observe: async (bench) => {
      const item = indexed(bench);
      await unitsOfPut(bench, item);
      return await unitsOfPut(bench, { ...item, storedAt: storedAt(6) });
    },
    onDynamoDB: 3,
  },
  {
    states: 'a delete of an item that an index has takes 1 more',
    source: globalIndexes,
    observe: async (bench) => {
      const item = indexed(bench);
      await unitsOfPut(bench, item);
      const command = new DeleteItemCommand({
        TableName: bench.indexedTableName,
        Key: keyOf(item),
        ...withUnits,
      });
      return await unitsOfCall(bench.client.send(command));
    },
    onDynamoDB: 2,
  },
  {
    states: 'what an index takes for a write of a transaction is not doubled',
    source: globalIndexes,
    observe: async (bench) => {
      const item = indexed(bench);
      const { recoveryShard, ...without } = item;
      const TableName = bench.indexedTableName;
      return [
        unitsOf(await transact(bench, [{ Put: { TableName, Item: item } }])),
        unitsOf(await transact(bench, [{ Put: { TableName, Item: without } }])),
        unitsOf(await transact(bench, [{ Put: { TableName, Item: sized(without, 1_500) } }])),
      ];
    },
    onDynamoDB: [3, 3, 4],
  },
];

export const unshownIndexes: readonly UnshownBehaviour[] = [
  {
    states:
      'an index follows its table a moment later: a query may miss a new record, and return one that was dispatched',
    source: globalIndexes,
    reason: 'The indexes of local engines are written together with their tables',
    simulatedIn: {
      file: 'test/adapters/dynamodb/relay/undispatched-records.test.ts',
      mentions: 'passes over a record with a hashed key that was dispatched since the index was read',
    },
  },
];
