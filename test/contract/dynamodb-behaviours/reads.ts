import { type AttributeValue, GetItemCommand, QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Behaviour, Bench } from './behaviour.ts';
import { outcomeOf, put, sized } from './observations.ts';

/** Stores items of one partition; returns its name. */
async function partitionOf(bench: Bench, sortKeys: readonly string[], bytes = 100): Promise<AttributeValue> {
  const { PK } = bench.newKey() as { PK: AttributeValue };
  await Promise.all(sortKeys.map((SK) => put(bench, sized({ PK, SK: { S: SK } }, bytes))));
  return PK;
}

const ofPartition = (
  { tableName }: Bench,
  PK: AttributeValue,
  values: Record<string, AttributeValue> = {},
) => ({
  TableName: tableName,
  KeyConditionExpression: 'PK = :pk',
  ExpressionAttributeValues: { ':pk': PK, ...values },
  ConsistentRead: true,
});

const sortKeys = (items: readonly Record<string, AttributeValue>[] = []) => items.map(({ SK }) => SK?.S);

export const reads: readonly Behaviour[] = [
  {
    states: 'a query returns the items between two sort keys, both included, in the order of their bytes',
    source: 'Querying tables in DynamoDB',
    observe: async (bench) => {
      const PK = await partitionOf(bench, ['CHUNK#0010', 'RECORD', 'CHUNK#0002', 'CHUNK#0001', 'chunk']);
      const query = new QueryCommand({
        ...ofPartition(bench, PK, { ':first': { S: 'CHUNK#0001' }, ':last': { S: 'CHUNK#0002' } }),
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :first AND :last',
      });
      const all = new QueryCommand(ofPartition(bench, PK));
      return [
        sortKeys((await bench.client.send(query)).Items),
        sortKeys((await bench.client.send(all)).Items),
      ];
    },
    onDynamoDB: [
      ['CHUNK#0001', 'CHUNK#0002'],
      ['CHUNK#0001', 'CHUNK#0002', 'CHUNK#0010', 'RECORD', 'chunk'],
    ],
  },
  {
    states: 'a query reads about 1 MB a page, and its LastEvaluatedKey leads to the rest',
    source: 'Paginating table query results in DynamoDB',
    observe: async (bench) => {
      const PK = await partitionOf(bench, ['1', '2', '3', '4'], 350 * 1024);
      const pages: (string | undefined)[][] = [];
      let lastKey: Record<string, AttributeValue> | undefined;
      do {
        const command = new QueryCommand({
          ...ofPartition(bench, PK),
          ...(lastKey && { ExclusiveStartKey: lastKey }),
        });
        const page = await bench.client.send(command);
        pages.push(sortKeys(page.Items));
        lastKey = page.LastEvaluatedKey;
      } while (lastKey);
      return [pages.length, pages.flat()];
    },
    onDynamoDB: [2, ['1', '2', '3', '4']],
  },
  {
    states: 'a filter takes its items out of what the limit has read already',
    source: 'Scanning tables in DynamoDB',
    observe: async (bench) => {
      const PK = await partitionOf(bench, ['1', '2', '3']);
      const query = new QueryCommand({
        ...ofPartition(bench, PK, { ':x': { S: 'x' } }),
        FilterExpression: 'begins_with(filling, :x) AND attribute_not_exists(dispatched)',
        Limit: 2,
      });
      const { Items, ScannedCount, LastEvaluatedKey } = await bench.client.send(query);
      const none = new QueryCommand({
        ...ofPartition(bench, PK, { ':no': { BOOL: false } }),
        FilterExpression: 'dispatched = :no',
      });
      const { Count, ScannedCount: scanned } = await bench.client.send(none);
      return [sortKeys(Items), ScannedCount, LastEvaluatedKey?.SK?.S, Count, scanned];
    },
    onDynamoDB: [['1', '2'], 2, '2', 0, 3],
  },
  {
    states: 'the segments of a scan have each item once',
    source: 'Scanning tables in DynamoDB',
    observe: async (bench) => {
      const scanned = { ...bench, tableName: bench.otherTableName };
      const keys = Array.from({ length: 12 }, () => bench.newKey());
      await Promise.all(keys.map((key) => put(scanned, { ...key, scanned: { BOOL: true } })));
      const pages = await Promise.all(
        [0, 1, 2, 3].map((Segment) =>
          bench.client.send(
            new ScanCommand({
              TableName: scanned.tableName,
              Segment,
              TotalSegments: 4,
              FilterExpression: 'attribute_exists(scanned)',
            }),
          ),
        ),
      );
      const found = pages.flatMap(({ Items = [] }) => Items.map(({ PK }) => PK?.S));
      return (
        found.toSorted().join() ===
        keys
          .map(({ PK }) => PK?.S)
          .toSorted()
          .join()
      );
    },
    onDynamoDB: true,
  },
  {
    states: 'a consistent read returns what was written before it',
    source: 'DynamoDB read consistency',
    observe: async (bench) => {
      const key = bench.newKey();
      const seen: (string | undefined)[] = [];
      for (const text of ['a', 'b', 'c']) {
        await put(bench, { ...key, text: { S: text } });
        const get = new GetItemCommand({ TableName: bench.tableName, Key: key, ConsistentRead: true });
        seen.push((await bench.client.send(get)).Item?.text?.S);
      }
      return seen;
    },
    onDynamoDB: ['a', 'b', 'c'],
  },
  {
    states: 'a table that does not exist is ResourceNotFoundException',
    source: 'Error handling with DynamoDB',
    observe: async (bench) =>
      await outcomeOf(
        bench.client.send(new GetItemCommand({ TableName: `${bench.tableName}-none`, Key: bench.newKey() })),
      ),
    onDynamoDB: 'ResourceNotFoundException',
  },
];
