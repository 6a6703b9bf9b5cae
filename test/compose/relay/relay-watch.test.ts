import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient, ResourceNotFoundException } from '@aws-sdk/client-lambda';
import { beforeEach, expect, it } from '@jest/globals';
import { type RelayOutboxOptions, relayOutbox } from 'sagabox';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { relaySetting } from '../../../lib/settings/relay.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { storedRecord } from '../../support/commits.ts';
import { createQueue, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { interceptCalls } from '../../support/intercepted-calls.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { itemsOf } from '../../support/raw-items.ts';
import { createStreamedTable, dynamoDBRelay } from '../../support/relay-subject.ts';
import { streamArn, watchStream } from '../../support/table-stream.ts';
import { passTime } from '../../support/wall-clock.ts';

const client = dynamoDBClient();
const meter = new CapacityMeter();
const HOUR_MS = 3_600_000;

let tableName: string;
let mapping: Record<string, unknown> | undefined;
let billing: string;

beforeEach(async () => {
  tableName = await createStreamedTable(client);
  billing = await createQueue();
  mapping = {
    State: 'Enabled',
    EventSourceArn: await streamArn(client, tableName),
    StartingPosition: 'TRIM_HORIZON',
  };
});

/** What Lambda tells of the mapping, which no local engine has. */
function lambdaClient(): LambdaClient {
  const lambda = new LambdaClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  interceptCalls(lambda, 'call', async ({ operation, input }) => {
    if (mapping === undefined) throw new ResourceNotFoundException({ message: 'none', $metadata: {} });
    return { ...mapping, UUID: operation === 'GetEventSourceMapping' ? input.UUID : undefined };
  });
  return lambda;
}

async function relay(options: RelayOutboxOptions = {}, table = tableName) {
  const watched = [{ table, mapping: 'map-1' }];
  process.env[relaySetting.variable] = JSON.stringify({ strategy: 'stream', watched });
  try {
    return await relayOutbox({
      endpoint: 'orders',
      outboxTable: { tableName },
      destinations: { billing },
      olderThan: { milliseconds: 1 },
      dynamoDBClient: client,
      sqsClient: sqsClient(),
      lambdaClient: lambdaClient(),
      logger: silentLogger,
      segments: 1,
      maxReadUnitsPerSecond: 100_000,
      ...options,
    })();
  } finally {
    delete process.env[relaySetting.variable];
  }
}

const watchItem = async () => (await itemsOf(client, tableName, 'UNSENT#orders')).get('WATCHER');

it('a run looks whether the stream is read, and remembers that it is', async () => {
  expect(await relay()).toMatchObject({ complete: true });
  expect(await watchItem()).toMatchObject({
    watchedMapping: { S: 'map-1' },
    watchedStream: { S: mapping?.EventSourceArn },
  });
});

it.each<[string, () => void | Promise<void>, string]>([
  ['is disabled', () => void Object.assign(mapping ?? {}, { State: 'Disabled' }), 'map-1 is disabled'],
  [
    'is gone',
    () => {
      mapping = undefined;
    },
    'there is no event source mapping map-1',
  ],
  [
    'reads another stream',
    () => void Object.assign(mapping ?? {}, { EventSourceArn: 'arn:other' }),
    'reads arn:other',
  ],
])('a run whose mapping %s says so after its work, and names the scan', async (_what, change, problem) => {
  const { committer } = dynamoDBRelay({ client, tableName, strategy: 'stream' });
  await committer.commit(storedRecord('m1', [outgoingMessage({ destination: 'billing' })]), meter);
  await watchStream(client, tableName);
  await change();
  const onRelayed: unknown[] = [];
  const run = relay({ onRelayed: (result) => void onRelayed.push(result) });
  await expect(run).rejects.toMatchObject({ code: 'StreamNotRead', facts: { table: tableName } });
  await expect(run).rejects.toThrow(problem);
  await expect(run).rejects.toThrow('sagabox relay --strategy scan');
  expect(onRelayed).toEqual([expect.objectContaining({ dispatched: 1 })]);
});

it('a stream that is off is told', async () => {
  const StreamSpecification = { StreamEnabled: false };
  await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
  await expect(relay()).rejects.toThrow('the stream of the table is off');
});

it('after a mapping was made anew with the newest change a scan is due, until it is made', async () => {
  await relay();
  Object.assign(mapping ?? {}, { StartingPosition: 'LATEST' });
  process.env[relaySetting.variable] = '{}';
  const again = JSON.stringify({ strategy: 'stream', watched: [{ table: tableName, mapping: 'map-2' }] });
  const runAgain = async () => {
    process.env[relaySetting.variable] = again;
    return await relayOutbox({
      endpoint: 'orders',
      outboxTable: { tableName },
      destinations: {},
      dynamoDBClient: client,
      sqsClient: sqsClient(),
      lambdaClient: lambdaClient(),
      logger: silentLogger,
    })();
  };
  const due = { code: 'ScanDue', facts: { table: tableName, endpoints: ['orders'] } };
  await expect(runAgain()).rejects.toMatchObject(due);
  passTime(HOUR_MS);
  await expect(runAgain()).rejects.toMatchObject(due);
  // One that does not reach the time since when it is due leaves it so.
  expect(await relay({ strategy: 'scan', olderThan: { hours: 2 } })).toMatchObject({ complete: true });
  await expect(runAgain()).rejects.toMatchObject(due);
  expect(await relay({ strategy: 'scan' })).toMatchObject({ complete: true });
  expect(await runAgain()).toMatchObject({ complete: true });
  delete process.env[relaySetting.variable];
});

it('a table that is watched by its ARN is the one that the endpoint has by its name', async () => {
  const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${tableName}`;
  mapping = { ...mapping, State: 'Disabled' };
  // The engine takes names alone.
  const dynamoDB = dynamoDBClient();
  interceptCalls(dynamoDB, 'call', ({ input, proceed }) =>
    proceed(JSON.parse(JSON.stringify(input).replaceAll(arn, tableName))),
  );
  await expect(relay({ dynamoDBClient: dynamoDB }, arn)).rejects.toMatchObject({
    code: 'StreamNotRead',
    facts: { table: arn },
  });
});

it('after a day in which no run saw the stream read a scan is due', async () => {
  await relay();
  passTime(25 * HOUR_MS);
  await expect(relay()).rejects.toMatchObject({
    code: 'ScanDue',
    facts: { reason: expect.stringContaining('25 hours') },
  });
});

it('a scan that leaves something unsent leaves it due', async () => {
  await relay();
  passTime(25 * HOUR_MS);
  await expect(relay()).rejects.toMatchObject({ code: 'ScanDue' });
  const { committer } = dynamoDBRelay({ client, tableName, strategy: 'stream' });
  await committer.commit(storedRecord('m1', [outgoingMessage({ destination: 'billing' })]), meter);
  passTime(HOUR_MS);
  const gone = { billing: `${billing}-gone` };
  await expect(relay({ strategy: 'scan', destinations: gone })).rejects.toMatchObject({
    code: 'RelayFailed',
  });
  await expect(relay({ destinations: gone })).rejects.toMatchObject({ code: 'ScanDue' });
});
