import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, QueryCommand as QueryDocuments } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { defineHandlers, type OutboxSessionContext } from 'sagabox';
import { testApp, testHandlers, testSession } from 'sagabox/testing';
import { z } from 'zod';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';

/** A call that left the process would fail. */
const leaving = (service: string) => ({
  region: 'us-east-1',
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  maxAttempts: 1,
  requestHandler: { handle: () => Promise.reject(new Error(`A call of ${service}`)) } as never,
});
const client = new DynamoDBClient(leaving('DynamoDB'));
const documents = DynamoDBDocumentClient.from(client);

let read: () => Promise<unknown> = async () => undefined;
const reader = defineHandlers({
  messages: { Read: z.object({}) },
  handlers: {
    async Read(_message, { send }) {
      send('audit', 'Found', { found: JSON.parse(JSON.stringify((await read()) ?? null)) });
    },
  },
});

const row = (sk: string, n: string) => ({
  PK: { S: 'a' },
  SK: { S: sk },
  n: { N: n },
  bytes: { B: Buffer.from(sk) },
  list: { L: [{ S: 'x' }, { M: { y: { S: 'z' } } }] },
});
const rows = [row('1', '1.50'), row('2', '2'), row('10', '3'), { ...row('1', '4'), PK: { S: 'b' } }];

/** What a handler reads in memory. */
async function inMemory(call: () => Promise<unknown>): Promise<unknown> {
  let found: unknown;
  read = async () => {
    found = await call();
  };
  const tables = { rows: { key: ['PK', 'SK'], items: rows } } as const;
  await testHandlers(reader, { tables }).deliver('Read', {});
  return withoutMetadata(found);
}

function withoutMetadata(answer: unknown): unknown {
  const { $metadata: _metadata, ...others } = answer as Record<string, unknown>;
  return others;
}

const Key = { PK: { S: 'a' }, SK: { S: '2' } };
const missing = { PK: { S: 'a' }, SK: { S: '3' } };
const query = { KeyConditionExpression: 'PK = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } };
const calls = [
  ['GetItem', (TableName: string) => new GetItemCommand({ TableName, Key })],
  [
    'GetItem of none',
    (TableName: string) => new GetItemCommand({ TableName, Key: missing, ConsistentRead: true }),
  ],
  [
    'GetItem of some attributes',
    (TableName: string) =>
      new GetItemCommand({
        TableName,
        Key,
        ProjectionExpression: '#n, #l[1].y, absent',
        ExpressionAttributeNames: { '#n': 'n', '#l': 'list' },
      }),
  ],
  [
    'BatchGetItem',
    (TableName: string) =>
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [missing, Key] } } }),
  ],
  [
    'TransactGetItems',
    (TableName: string) =>
      new TransactGetItemsCommand({
        TransactItems: [{ Get: { TableName, Key: missing } }, { Get: { TableName, Key } }],
      }),
  ],
  ['Query', (TableName: string) => new QueryCommand({ TableName, ...query })],
  [
    'Query backwards',
    (TableName: string) => new QueryCommand({ TableName, ...query, ScanIndexForward: false }),
  ],
  [
    'Query of a page',
    (TableName: string) => new QueryCommand({ TableName, ...query, Limit: 2, ExclusiveStartKey: pick('1') }),
  ],
  [
    'Query of sort keys',
    (TableName: string) =>
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#p = :a AND begins_with(#s, :b)',
        ExpressionAttributeNames: { '#p': 'PK', '#s': 'SK' },
        ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { S: '1' } },
      }),
  ],
  [
    'Query of a range, filtered',
    (TableName: string) =>
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'PK = :a AND SK BETWEEN :b AND :c',
        FilterExpression: 'n > :n',
        ExpressionAttributeValues: {
          ':a': { S: 'a' },
          ':b': { S: '1' },
          ':c': { S: '2' },
          ':n': { N: '1.5' },
        },
      }),
  ],
  ['Query that counts', (TableName: string) => new QueryCommand({ TableName, ...query, Select: 'COUNT' })],
] as const;

function pick(sk: string) {
  return { PK: { S: 'a' }, SK: { S: sk } };
}

describe('a read by the SDK in a handler', () => {
  it('is answered as a DynamoDB engine answers it', async () => {
    const TableName = await createTable();
    const engine = dynamoDBClient();
    for (const Item of rows) await engine.send(new PutItemCommand({ TableName, Item }));
    for (const [name, commandOn] of calls) {
      const expected = withoutMetadata(await engine.send(commandOn(TableName) as GetItemCommand));
      const found = await inMemory(() => client.send(commandOn('rows') as GetItemCommand));
      const renamed = JSON.parse(JSON.stringify(expected).replaceAll(TableName, 'rows'));
      expect([name, JSON.parse(JSON.stringify(found))]).toEqual([name, renamed]);
    }
  });

  it('is answered in plain objects for a document client, and to a callback', async () => {
    const key = { PK: 'a', SK: '1' };
    const get = () => documents.send(new GetCommand({ TableName: 'rows', Key: key }));
    const bytes = new Uint8Array(Buffer.from('1'));
    expect(await inMemory(get)).toEqual({ Item: { ...key, n: 1.5, bytes, list: ['x', { y: 'z' }] } });
    const all = { KeyConditionExpression: 'PK = :b', ExpressionAttributeValues: { ':b': 'b' } };
    const found = await inMemory(() => documents.send(new QueryDocuments({ TableName: 'rows', ...all })));
    expect(found).toMatchObject({ Count: 1, Items: [{ PK: 'b', n: 4 }] });
    const called = () =>
      new Promise((resolve, reject) => {
        const command = new GetItemCommand({ TableName: 'rows', Key });
        void client.send(command, (error: unknown, output: unknown) =>
          error ? reject(error) : resolve(output),
        );
      });
    expect(await inMemory(called)).toMatchObject({ Item: { n: { N: '2' } } });
  });

  it('is answered by a client that has no region and no credentials', async () => {
    const bare = new DynamoDBClient({});
    const found = await inMemory(() => bare.send(new GetItemCommand({ TableName: 'rows', Key })));
    expect(found).toMatchObject({ Item: { n: { N: '2' } } });
  });

  it('finds what earlier messages committed, in an app and in a session', async () => {
    const counter = defineHandlers({
      messages: { Count: z.object({}) },
      handlers: {
        async Count(_message, { transaction, send }) {
          const { Item } = await documents.send(new GetCommand({ TableName: 'counters', Key: { id: '1' } }));
          const Key = { id: { S: '1' } };
          const ExpressionAttributeValues = { ':one': { N: '1' } };
          const Update = {
            TableName: 'counters',
            Key,
            UpdateExpression: 'ADD visits :one',
            ExpressionAttributeValues,
          };
          transaction.add({ Update });
          send('audit', 'Counted', { before: Item?.visits ?? 0 });
        },
      },
    });
    const tables = { counters: { key: ['id'] } } as const;
    for (const seed of [undefined, 1]) {
      const app = testApp([{ endpoint: 'counter', handles: counter }], {
        tables,
        destinations: ['audit'],
        ...(seed !== undefined && { seed }),
      });
      for (let count = 0; count < 3; count += 1) {
        app.send('counter', 'Count', {});
        await app.deliverAll();
      }
      expect(app.sentTo('audit').map(({ body }) => body)).toEqual([
        { before: 0 },
        { before: 1 },
        { before: 2 },
      ]);
      expect(app.items('counters')).toEqual([{ id: { S: '1' }, visits: { N: '3' } }]);
    }
    const session = testSession(
      async (_event: object, _context: OutboxSessionContext) =>
        (await documents.send(new GetCommand({ TableName: 'rows', Key: { PK: 'a', SK: '2' } }))).Item?.n,
      { tables: { rows: { key: ['PK', 'SK'], items: rows } } },
    );
    expect((await session.run({})).response).toBe(2);
  });

  const get = { TableName: 'rows', Key };
  it.each([
    ['tables', () => client.send(new GetItemCommand({ TableName: 'others', Key }))],
    ['PutItem', () => client.send(new PutItemCommand({ TableName: 'rows', Item: row('9', '1') }))],
    ['IndexName', () => client.send(new QueryCommand({ TableName: 'rows', IndexName: 'byDate', ...query }))],
    ['AttributesToGet', () => client.send(new GetItemCommand({ ...get, AttributesToGet: ['n'] }))],
    ['a sign', () => client.send(new GetItemCommand({ ...get, ProjectionExpression: 'n!' }))],
  ])(
    'that the test kit does not answer is named, and leaves the process in no way: %s',
    async (_of, call) => {
      const { code, message } = await sagaboxErrorOf(inMemory(call));
      expect([code, message]).toEqual(['Configuration', expect.stringMatching(/^the test kit.*docs|engine/)]);
    },
  );

  it.each([
    ['without the sort key', new GetItemCommand({ TableName: 'rows', Key: { PK: { S: 'a' } } })],
    ['with another attribute', new GetItemCommand({ TableName: 'rows', Key: { ...Key, n: { N: '2' } } })],
    ['with a reserved word', new GetItemCommand({ ...get, ProjectionExpression: 'status' })],
    [
      'without a partition',
      new QueryCommand({ ...query, TableName: 'rows', KeyConditionExpression: 'SK = :a' }),
    ],
    [
      'of other attributes',
      new QueryCommand({ ...query, TableName: 'rows', KeyConditionExpression: 'n = :a' }),
    ],
    ['of one key twice', new BatchGetItemCommand({ RequestItems: { rows: { Keys: [Key, Key] } } })],
  ])('that DynamoDB refuses fails as there: %s', async (_of, command) => {
    const error = await errorOf(inMemory(() => client.send(command as GetItemCommand)));
    expect(error).toMatchObject({ name: 'ValidationException', $metadata: { httpStatusCode: 400 } });
  });

  it('goes its own way outside of handlers, and so does a call of another service', async () => {
    await inMemory(() => client.send(new GetItemCommand({ TableName: 'rows', Key })));
    await expect(client.send(new ScanCommand({ TableName: 'rows' }))).rejects.toThrow('A call of DynamoDB');
    const sqs = new SQSClient(leaving('SQS'));
    await expect(inMemory(() => sqs.send(new ListQueuesCommand({})))).rejects.toThrow('A call of SQS');
  });
});
