import { beforeAll, describe, expect, it } from '@jest/globals';
import { watchOutbox } from 'sagabox';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { storedRecord } from '../../support/commits.ts';
import { dynamoDBClient } from '../../support/engines.ts';
import { codeOf } from '../../support/error-of.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../../support/faults.ts';
import { interceptCalls } from '../../support/intercepted-calls.ts';
import { numberedMessages } from '../../support/outgoing-messages.ts';
import { withTable } from '../../support/own-engines/tables.ts';
import { itemsOf } from '../../support/raw-items.ts';
import { createStreamedTable, dynamoDBRelay } from '../../support/relay-subject.ts';
import { streamRecords } from '../../support/table-stream.ts';

const client = dynamoDBClient();
const meter = new CapacityMeter();
const listOf = async (tableName: string, endpoint = 'orders') =>
  [...(await itemsOf(client, tableName, `UNSENT#${endpoint}`)).values()].map(
    ({ itemPartition }) => itemPartition?.S,
  );

async function commit(tableName: string, messageId: string, endpoint = 'orders'): Promise<void> {
  const { committer } = dynamoDBRelay({ client, tableName, strategy: 'stream', endpoint });
  await committer.commit(storedRecord(messageId, numberedMessages(1)), meter);
}

async function mark(tableName: string, messageId: string): Promise<void> {
  const { outbox } = dynamoDBRelay({ client, tableName, strategy: 'stream' });
  const record = await outbox.find(messageId, meter);
  if (record) await outbox.markDispatched(record, new Date(), meter);
}

describe('the watcher of a table', () => {
  let tableName: string;
  beforeAll(async () => {
    tableName = await createStreamedTable(client);
    for (const id of ['m1', 'm2']) await commit(tableName, id);
    await commit(tableName, 'b1', 'billing');
    await mark(tableName, 'm2');
  });

  it.each([1, 2, 10])('lists what is not marked by batches of %i, and the same again', async (size) => {
    const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger });
    const records = await streamRecords(client, tableName);
    for (let at = 0; at < records.length; at += size) await watch({ Records: records.slice(at, at + size) });
    expect(await listOf(tableName)).toEqual(['OUTBOX#orders#m1']);
    expect(await listOf(tableName, 'billing')).toEqual(['OUTBOX#billing#b1']);
  });

  it('looks at items by consistent reads alone: an old one would show a record before it was committed', async () => {
    const dynamoDB = dynamoDBClient();
    const { requests } = new ClientFaults(dynamoDB);
    const watch = watchOutbox({ dynamoDBClient: dynamoDB, logger: silentLogger });
    await watch({ Records: await streamRecords(client, tableName) });
    const reads = requests.filter(({ operation }) => operation === 'BatchGetItem');
    expect(reads.length).toBeGreaterThan(0);
    for (const { input } of reads) expect(input.RequestItems[tableName].ConsistentRead).toBe(true);
  });

  it('tells how much it lists', async () => {
    const told: unknown[] = [];
    const logger = { ...silentLogger, info: (...line: unknown[]) => void told.push(line) };
    await watchOutbox({ dynamoDBClient: client, logger })({
      Records: await streamRecords(client, tableName),
    });
    expect(told).toEqual([
      ['Listed what is not sent yet', expect.objectContaining({ table: tableName, listed: 2, looked: 2 })],
    ]);
  });

  it.each(['BatchGetItem', 'PutItem'])(
    'fails when a %s fails, so that the batch comes again',
    async (operation) => {
      const dynamoDB = dynamoDBClient();
      disableSdkRetries(dynamoDB);
      interceptCalls(dynamoDB, 'call', async (call) => {
        if (call.operation === operation) throw dynamoDBError('AccessDeniedException');
        return await call.proceed();
      });
      const watch = watchOutbox({ dynamoDBClient: dynamoDB, logger: silentLogger });
      const run = watch({ Records: await streamRecords(client, tableName) });
      expect(await codeOf(run)).toBe('TableAccessRefused');
    },
  );
});

it.each(['KEYS_ONLY', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'] as const)(
  'the watcher of a stream of %s lists what is not marked',
  async (stream) => {
    await withTable(
      client,
      `watched-${stream}`,
      async (tableName) => {
        for (const id of ['m1', 'm2']) await commit(tableName, id);
        await mark(tableName, 'm2');
        const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger });
        await watch({ Records: await streamRecords(client, tableName) });
        expect(await listOf(tableName)).toEqual(['OUTBOX#orders#m1']);
      },
      { stream },
    );
  },
);

it('the watcher of a replicated table lists what endpoints of its region left alone', async () => {
  const tableName = await createStreamedTable(client);
  await commit(tableName, 'm1');
  await commit(tableName, 'b1', 'billing');
  const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger, endpoints: ['billing'] });
  await watch({ Records: await streamRecords(client, tableName) });
  expect([await listOf(tableName), await listOf(tableName, 'billing')]).toEqual([[], ['OUTBOX#billing#b1']]);
});

describe('the watcher refuses', () => {
  const arn = 'arn:aws:dynamodb:eu-west-1:111111111111:table/messages/stream/2026-01-02T03:04:05.678';
  const named = { eventSourceARN: arn, dynamodb: { Keys: { id: { S: 'a' }, kind: { S: 'b' } } } };

  it.each<[string, unknown]>([
    ['an event without records', {}],
    ['none at all', undefined],
    ['a message of SQS', { Records: [{ eventSourceARN: 'arn:aws:sqs:eu-west-1:111111111111:orders' }] }],
    ['a record without its source', { Records: [{ dynamodb: {} }] }],
    ['a hole', { Records: Array(1) }],
  ])('%s, so that it comes again', async (_what, event) => {
    const run = watchOutbox({ dynamoDBClient: client, logger: silentLogger })(event as never);
    expect(await codeOf(run)).toBe('Configuration');
  });

  it('a table whose keys have other names than it was told, as nothing would ever be found', async () => {
    const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger });
    await expect(watch({ Records: [named] } as never)).rejects.toThrow(
      'the table has the keys id, kind, and not PK, SK',
    );
    const tables = [{ tableName: 'messages', partitionKeyName: 'id', sortKeyName: 'kind' }];
    const told = watchOutbox({ dynamoDBClient: client, logger: silentLogger, tables });
    expect(await told({ Records: [named] } as never)).toBeUndefined();
  });

  it.each([
    [{ tables: 'messages' }, 'is not a list'],
    [{ endpoint: 'orders' }, 'it is no option here'],
    [{ strategy: 'stream' }, 'it is no option here'],
  ])('the options %j', (options, problem) => {
    expect(() => watchOutbox(options as never)).toThrow(problem);
  });
});
