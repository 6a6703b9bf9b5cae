import { randomUUID } from 'node:crypto';
import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Table } from '../../lib/dynamodb/table-defaults.ts';
import { newBatchers } from '../../lib/outbox/batchers.dynamodb.ts';
import { DynamoDBCommitter } from '../../lib/outbox/commit/committer.dynamodb.ts';
import { DynamoDBOutboxStore } from '../../lib/outbox/outbox-store.dynamodb.ts';
import { toChunkItems, toDispatchedItem, toRecordItem } from '../../lib/outbox/record-item.dynamodb.ts';
import { defaultMapper } from '../../lib/saga/item/mapper.dynamodb.ts';
import { sagaItem } from '../../lib/saga/item/write-saga-item.ts';
import { DynamoDBSagaStore } from '../../lib/saga/saga-store.dynamodb.ts';
import { at, commitOf, orderSaga, outboxWrite } from '../support/commits.ts';
import { withCurrentRevisions } from '../support/current-revision.ts';
import { type StorePorts, storePorts } from '../support/dynamodb-ports.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { operationsOfSize } from '../support/outgoing-messages.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';

const client = dynamoDBClient();

let table: Table;
let ports: StorePorts;

beforeEach(async () => {
  // Names that expressions take only through a placeholder, and that sagabox uses otherwise.
  table = {
    tableName: `test-${randomUUID()}`,
    partitionKeyName: 'partition key',
    sortKeyName: 'select',
    timeToLiveAttributeName: 'ttl',
  };
  const keys = [
    { AttributeName: table.partitionKeyName, KeyType: 'HASH' },
    { AttributeName: table.sortKeyName, KeyType: 'RANGE' },
  ] as const;
  await client.send(
    new CreateTableCommand({
      TableName: table.tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [...keys],
    }),
  );
  const outbox = { table, endpoint: 'orders', deduplicationPeriodSeconds: 60 };
  const { reads, writes } = newBatchers(client, new MovingClock());
  const sagas = new DynamoDBSagaStore({ reads, table, mapper: defaultMapper });
  const committer = new DynamoDBCommitter({
    client,
    sagaTable: table,
    outbox,
    mapper: defaultMapper,
    endpoint: 'orders',
  });
  ports = storePorts(
    sagas,
    new DynamoDBOutboxStore({ client, outbox, reads, writes }),
    withCurrentRevisions(committer, sagas),
  );
});

describe('a table with key names of its own', () => {
  it('keeps sagas through their life', async () => {
    for (const commit of [sagaCreation({}), sagaUpdate({ a: 1 }, 1)]) {
      await ports.committer.commit(commit);
    }
    expect((await ports.sagas.load(orderSaga))?.revision.version).toBe(2);
    await ports.committer.commit(sagaCompletion(2));
    expect(await ports.sagas.load(orderSaga)).toBeUndefined();
  });

  it('keeps outbox records, their chunks and their time to live', async () => {
    const record = outboxWrite('in-1', operationsOfSize(350 * 1024 + 1));
    await ports.committer.commit(commitOf({ outbox: record }));
    expect((await ports.outbox.find('in-1'))?.operations).toEqual(record.operations);
    const error = await sagaboxErrorOf(ports.committer.commit(commitOf({ outbox: record })));
    expect(error.code).toBe('DuplicateMessage');

    await ports.outbox.markDispatched(record, at);
    const { Items } = await client.send(new ScanCommand({ TableName: table.tableName }));
    expect(Items).toEqual([
      expect.objectContaining({
        'partition key': { S: 'OUTBOX#orders#in-1' },
        select: { S: 'RECORD' },
        // 2026-01-02T03:04:06Z, rounded up, and 60 s.
        ttl: { N: '1767323106' },
      }),
    ]);
  });
});

it('nothing else that is stored is put over a key', () => {
  const named = { ...table, partitionKeyName: 'version', sortKeyName: 'schemaVersion' };
  const outbox = { table: named, endpoint: 'orders', deduplicationPeriodSeconds: 60 };
  const write = outboxWrite('in-1', operationsOfSize(350 * 1024 + 1));
  const [saga, timeouts] = [orderSaga, []];
  const times = { createdAt: at, updatedAt: at };
  const content = { saga, state: {}, version: 1, commitId: 'c', timeouts, ...times };
  const items = [
    sagaItem(named, content),
    toRecordItem(outbox, write, at),
    ...toChunkItems(outbox, write),
    toDispatchedItem(outbox, write, at),
  ];
  expect(items.map(({ version, schemaVersion }) => `${version?.S} ${schemaVersion?.S}`)).toEqual([
    'SAGA#OrderSaga#42 SAGA',
    'OUTBOX#orders#in-1 RECORD',
    'OUTBOX#orders#in-1 CHUNK#0001',
    'OUTBOX#orders#in-1 CHUNK#0002',
    'OUTBOX#orders#in-1 RECORD',
  ]);
});
