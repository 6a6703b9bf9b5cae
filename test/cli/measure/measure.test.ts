import {
  type AttributeValue,
  type DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { itemSize, planMessage } from 'sagabox/capacity';
import { runCommand } from '../../../lib/cli/main.ts';
import { measureCommand, measureLocally, measureTables } from '../../../lib/cli/measure/measure.ts';
import { readMeasureOptions } from '../../../lib/cli/measure/options.ts';
import { unpack } from '../../../lib/outbox/packing.ts';
import type { RecordEncoding } from '../../../lib/outbox/record-encoding.ts';
import { commandIo, valuesOf } from '../../support/command-io.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { ClientFaults } from '../../support/faults.ts';
import { receiveMessages } from '../../support/received-records.ts';
import { cells } from '../../support/samples.ts';

let clients: { engine: string; dynamoDBClient: DynamoDBClient; sqsClient: SQSClient };

beforeEach(() => {
  clients = { engine: 'the test engine', dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
});

const optionsOf = (line: string) => readMeasureOptions(valuesOf(measureCommand, line.split(' ')));

async function run(line: string, signal?: AbortSignal) {
  const { io, out, err } = commandIo(signal);
  const options = await optionsOf(line.replace(' --json', ''));
  const work = () => measureLocally(clients, options, io);
  const exitCode = await runCommand('measure', work, line.includes('--json'), io);
  return { exitCode, out, err };
}

async function measuredTables(): Promise<string[]> {
  const { TableNames = [] } = await clients.dynamoDBClient.send(
    new ListTablesCommand({ ExclusiveStartTableName: 'sagabox-measure' }),
  );
  return TableNames.filter((name) => name.startsWith('sagabox-measure-'));
}

async function measuredQueues(): Promise<string[]> {
  const { QueueUrls = [] } = await clients.sqsClient.send(
    new ListQueuesCommand({ QueueNamePrefix: 'sagabox-measure-' }),
  );
  return QueueUrls;
}

describe('sagabox measure', () => {
  it('prints predicted beside measured, and names the engine', async () => {
    const { exitCode, out, err } = await run('--saga-size 1000 --metadata-size 216 --messages 2');
    expect(out.map((line) => line.trimEnd())).toEqual([
      '2 messages on the test engine: saga of 1000 bytes (updated, optimistic), nothing sent, outbox',
      '',
      'What a new message takes:',
      '',
      '                                                        predicted                       measured',
      'step               call                calls  items    RCU    WCU     calls  items    RCU    WCU',
      'dedup check, load  BatchGetItem            1      2      2      0         1      2      2      0',
      'commit             TransactWriteItems      1      2      0      4         1      2      0      4',
      'sum                                        2      4      2      4         2      4      2      4',
      '',
      'As planned: 2 RCU and 4 WCU; measured the same.',
      'Every step of every message takes what was predicted.',
    ]);
    expect([exitCode, err]).toEqual([0, ['Measuring 2 messages']]);
  });

  const lines = [
    '--saga-size 1000 --outgoing 3 --locking eventual --shared-table --duplicate-rate 0.3',
    '--saga-size 1025 --outgoing 2 --destinations 2 --saga-change create',
    '--saga-size 1000 --outgoing 12 --message-size 1000 --saga-change complete --locking pessimistic',
    '--saga-size 960 --saga-change none --locking pessimistic --duplicate-rate 0.5',
    '--saga-size 1000 --outgoing 3 --no-outbox',
    '--outgoing 10 --message-size 1000 --compression-ratio 0.3 --metadata-size 300',
    '--saga-size 5000 --outgoing 8 --message-size 60000 --compression-ratio 0.8 --duplicate-rate 0.3',
    '--saga-size 10000 --saga-compression-ratio 0.3 --outgoing 1 --duplicate-rate 0.3',
    '--saga-size 10000 --saga-compression-ratio 0.3 --locking pessimistic --saga-change none',
    '--saga-size 100000 --saga-compression-ratio 0.1 --locking eventual --saga-change create',
    '--saga-size 1300 --saga-compression-ratio 0.95 --locking pessimistic --saga-change complete',
    '--layout embedded --saga-size 1000 --saga-compression-ratio 0.6 --outgoing 3 --duplicate-rate 0.3',
    '--layout embedded --saga-size 1000 --saga-compression-ratio 0.6 --outgoing 1',
    '--layout embedded --saga-size 1000 --live-ids 30 --locking pessimistic --outgoing 1 --message-size 1000',
    '--layout embedded --saga-size 900 --saga-change create --shared-table --outgoing 2',
    '--layout embedded --saga-size 3000 --saga-change complete --shared-table --outgoing 1',
    '--layout embedded --saga-size 2000 --saga-compression-ratio 0.3 --saga-change none --duplicate-rate 0.5',
    '--saga-size 1000 --appended 1 --duplicate-rate 0.3',
    '--saga-size 1000 --appended 3 --contribution-size 1025 --locking pessimistic --outgoing 1',
    '--saga-size 1000 --appended 1 --no-outbox --locking eventual',
    '--saga-size 1000 --collected 90 --contribution-size 2048',
    '--saga-size 1000 --collected 2 --saga-change complete --locking pessimistic',
  ];
  // The plans themselves are held to each mode and size by test/acceptance/capacity-shapes.test.ts.
  const few = cells(lines, (line) => lines.indexOf(line) % 3 === 1);

  it.each(few)('finds the plan of %s right', async (line) => {
    const { exitCode, out } = await run(`${line} --messages 2 --json`);
    const { newMessages, isEqual, doubts } = JSON.parse(out[0] ?? '');
    expect([newMessages.differences, doubts]).toEqual([[], []]);
    expect([isEqual, exitCode, out.length]).toEqual([true, 0, 1]);
    expect(newMessages.measured.calls).toBeGreaterThan(0);
  });

  it.each(['create', 'update', 'update --destinations 2', 'update --locking pessimistic'])(
    'stores items and messages of exactly the sizes that were asked: %s',
    async (change) => {
      const faults = new ClientFaults(clients.dynamoDBClient);
      const itemsOf = async (line: string): Promise<Record<string, AttributeValue>[]> => {
        await run(`${line} --saga-size 1001 --saga-change ${change} --messages 1`);
        const commit = faults.requests.findLast(({ operation }) => operation === 'TransactWriteItems');
        const writes: TransactWriteItem[] = commit?.input.TransactItems;
        return ['SAGA', 'RECORD'].map(
          (sort) => writes.find(({ Put }) => Put?.Item?.SK?.S === sort)?.Put?.Item ?? {},
        );
      };
      const sizes = (await itemsOf('--metadata-size 307')).map((item) => itemSize(item));
      expect(sizes).toEqual([1_001, 307]);
      const [saga = {}, record] = await itemsOf('--outgoing 2 --message-size 503');
      expect(itemSize(saga)).toBe(1_001);
      const [, endpoint = '', messageId = ''] = record?.PK?.S?.split('#') ?? [];
      const encoding = record?.encoding?.S as RecordEncoding;
      const operations = unpack(record?.operations?.B ?? new Uint8Array(), encoding, { endpoint, messageId });
      expect(operations.map((operation) => JSON.stringify(operation).length)).toEqual([503, 503]);
    },
  );

  it('measures sagas with a compressed state, and says what they compress to', async () => {
    const line = '--saga-size 20000 --saga-compression-ratio 0.3 --messages 1 --json';
    const { sagaCompressionRatio, newMessages } = JSON.parse((await run(line)).out[0] ?? '');
    expect(sagaCompressionRatio).toBeCloseTo(0.3, 2);
    expect(newMessages.measured.wcu).toBeLessThan(2 * 7 + 2);
    const { out } = await run('--saga-size 1000 --saga-compression-ratio 0.1 --messages 1');
    expect(out.join('\n')).toMatch(
      /^The sagas compress to (0\.[2-9]\d) of their bytes, not 0\.10: predicted with --saga-compression-ratio \1\.$/m,
    );
  });

  it('says what is appended and collected, and names the step that reads it', async () => {
    const appending = await run('--saga-size 1000 --appended 2 --messages 1');
    expect(appending.out[0]).toContain('(unchanged, optimistic), 2 appended of 300 bytes, nothing sent');
    const { out } = await run('--saga-size 1000 --collected 3 --messages 1');
    expect(out[0]).toContain('3 collected of 300 bytes');
    expect(out.join('\n')).toMatch(/^collect +Query +1 +3 +1 +0 +1 +3 +1 +0$/m);
  });

  it('measures an embedded outbox that holds as many ids as asked, and names its steps', async () => {
    const { out } = await run('--layout embedded --saga-size 1000 --live-ids 12 --outgoing 1 --messages 1');
    expect(out[0]).toContain('1 sent of 500 bytes, embedded outbox with 12 live ids');
    const steps = out.flatMap((line) => /^(\S+) +(\w+) +1 +1 .* 1 +1 /.exec(line)?.slice(1).join(' ') ?? []);
    expect(steps).toEqual([
      'load BatchGetItem',
      'commit UpdateItem',
      'dispatch SendMessageBatch',
      'mark UpdateItem',
    ]);
  });

  it('measures duplicates by themselves', async () => {
    const { out } = await run('--saga-size 1000 --outgoing 1 --duplicate-rate 0.5 --messages 3 --json');
    expect(JSON.parse(out[0] ?? '')).toMatchObject({
      messages: 3,
      duplicates: 3,
      newMessages: { measured: { calls: 12, rcu: 6 } },
      duplicateMessages: { measured: { calls: 3, rcu: 6, wcu: 0 }, isEqual: true },
    });
  });

  it('tells how far the messages compressed, and predicts with that', async () => {
    const line = '--outgoing 10 --message-size 2000 --compression-ratio 0.5 --messages 1 --json';
    expect(JSON.parse((await run(line)).out[0] ?? '').compressionRatio).toBeCloseTo(0.5, 2);
    const { out } = await run('--outgoing 10 --message-size 2000 --messages 1');
    expect(out[1]).toMatch(/^The messages that were sent compress to 0\.\d\d of their bytes, not 1\.00/);
  });

  it('shows the plan as it was given too, and why the measured units are others', async () => {
    const line = '--saga-size 1000 --outgoing 10 --message-size 2000 --messages 2';
    const { exitCode, out } = await run(`${line} --json`);
    const { newMessages } = JSON.parse(out[0] ?? '');
    const { planned, predicted, measured, plannedToMeasured } = newMessages;
    // The plan as `sagabox plan` prints it: 16,000 bytes of messages, and the saga, in one transaction, and
    // the mark.
    const { newMessage } = planMessage({ sagaBytes: 1_000, outgoing: 10, messageBytes: 2_000 });
    expect(newMessage.wcu).toBe(50);
    expect(planned).toMatchObject({ wcu: 2 * newMessage.wcu, rcu: 2 * newMessage.rcu });
    expect(predicted).toEqual(measured);
    expect(measured.wcu).toBeLessThan(planned.wcu);
    expect(plannedToMeasured).toEqual({
      rcu: 0,
      wcu: measured.wcu - planned.wcu,
      rcuPercent: 0,
      wcuPercent: ((measured.wcu - planned.wcu) / planned.wcu) * 100,
    });
    expect(exitCode).toBe(0);

    const { out: lines } = await run(line);
    const [, percent, ratio] =
      /^As planned: 50 WCU; measured ([\d.]+ WCU: \d+) % less, because the messages compress to (\S+): pass --compression-ratio \2\.$/.exec(
        lines.find((text) => text.startsWith('As planned')) ?? '',
      ) ?? [];
    const [units = 0, less] = percent?.split(' WCU: ').map(Number) ?? [];
    expect(less).toBe(Math.round((1 - units / 50) * 100));
    expect(lines[1]).toContain(`compress to ${ratio} of their bytes`);
  });

  it('ends with 1 for a message that takes another call, and tells which step', async () => {
    const faults = new ClientFaults(clients.dynamoDBClient);
    faults.plan('BatchWriteItem', (_input, proceed) => proceed());
    faults.loseAnswer('BatchWriteItem');
    const { exitCode, out } = await run('--saga-size 1000 --outgoing 1 --messages 2');
    expect(exitCode).toBe(1);
    expect(out.find((line) => line.startsWith('mark'))).toMatch(/1\.5 .*<- differs$/);
    expect(out.at(-1)).toMatch(
      /^Not as predicted, in all 2 messages: mark \(BatchWriteItem\): 3 calls in place of 2/,
    );
  });

  it('leaves no table and no queue behind: not at its end, when it fails, or when it is interrupted', async () => {
    await run('--saga-size 1000 --outgoing 1 --messages 1');
    const faults = new ClientFaults(clients.dynamoDBClient);
    faults.fail('TransactWriteItems', Object.assign(new Error('no'), { name: 'AccessDeniedException' }), 9);
    const failed = await run('--saga-size 1000 --outgoing 1 --messages 1');
    expect([failed.exitCode, failed.err.at(-1)]).toEqual([
      1,
      expect.stringMatching(/could not be handled: .*AccessDenied/),
    ]);
    faults.reset();
    const interrupted = new AbortController();
    faults.plan('BatchWriteItem', (_input, proceed) => {
      interrupted.abort();
      return proceed();
    });
    const stopped = await run('--saga-size 1000 --outgoing 1 --messages 9', interrupted.signal);
    expect([stopped.exitCode, stopped.err.at(-1)]).toEqual([1, 'Interrupted']);
    expect(faults.operations.filter((operation) => operation === 'BatchWriteItem')).toHaveLength(1);
    expect([await measuredTables(), await measuredQueues()]).toEqual([[], []]);
  });
});

describe('sagabox measure in tables and queues that are not its own', () => {
  it('removes its items and messages, and nothing else', async () => {
    const [sagaTableName, outboxTableName] = [await createTable(), await createTable()];
    const queueUrl = await createQueue();
    const stranger = { PK: { S: 'SAGA#Order#1' }, SK: { S: 'SAGA' } };
    for (const TableName of [sagaTableName, outboxTableName]) {
      await clients.dynamoDBClient.send(new PutItemCommand({ TableName, Item: stranger }));
    }
    await clients.sqsClient.send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'of somebody else' }),
    );

    const { io, out, err } = commandIo();
    const line = `--saga-size 1000 --outgoing 3 --locking pessimistic --messages 9 --table ${outboxTableName} --queue ${queueUrl} --yes`;
    const tables = { sagaTableName, outboxTableName, queueUrls: [queueUrl] };
    const options = await optionsOf(line);
    const work = () => measureTables(clients, tables, options, io, 0);
    expect(await runCommand('measure', work, false, io)).toBe(0);
    expect(out[0]).toMatch(/^9 messages on an account/);
    expect(err).toEqual(['Measuring 9 messages', 'Removing what was written']);
    for (const TableName of [sagaTableName, outboxTableName]) {
      const { Items } = await clients.dynamoDBClient.send(
        new ScanCommand({ TableName, ConsistentRead: true }),
      );
      expect(Items).toEqual([stranger]);
    }
    expect((await receiveMessages(clients.sqsClient, queueUrl)).map(({ Body }) => Body)).toEqual([
      'of somebody else',
    ]);
  });

  it('removes what was written when it fails, and ends with the reason', async () => {
    const tableName = await createTable();
    const faults = new ClientFaults(clients.dynamoDBClient);
    faults.plan('TransactWriteItems', (_input, proceed) => proceed(), 2);
    faults.fail('TransactWriteItems', Object.assign(new Error('no'), { name: 'AccessDeniedException' }), 9);
    const { io } = commandIo();
    const options = await optionsOf(`--saga-size 1000 --messages 9 --table ${tableName} --yes`);
    const tables = { sagaTableName: tableName, outboxTableName: tableName, queueUrls: [] };
    await expect(measureTables(clients, tables, options, io, 0)).rejects.toThrow('could not be handled');
    const { Items } = await clients.dynamoDBClient.send(new ScanCommand({ TableName: tableName }));
    expect(Items).toEqual([]);
  });
});
