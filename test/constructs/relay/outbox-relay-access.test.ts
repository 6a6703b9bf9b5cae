import { createHash } from 'node:crypto';
import {
  DescribeTableCommand,
  PutItemCommand,
  ScanCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import { relayOutbox } from '../../../lib/compose/relay/relay-outbox.ts';
import { watchOutbox } from '../../../lib/compose/relay/watch-outbox.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { outboxRecordKey } from '../../../lib/dynamodb/keys.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { unsentItem } from '../../../lib/relay/unsent-items.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { storedRecord } from '../../support/commits.ts';
import { commitToSaga } from '../../support/embedded-commits.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';
import { ClientFaults } from '../../support/faults.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { dynamoDBRelay } from '../../support/relay-subject.ts';
import { allowedActions, inlineEndpoint, unbundledStack } from '../support.ts';

type Strategy = 'stream' | 'scan';

/** A record in chunks, and one with a hashed key, so that the relay does all that it can do. */
const large = outgoingMessage({ body: 'x'.repeat(400_000) });
const hashed = createHash('sha256').update('m').digest('hex');
const storedAt = new Date('2026-01-01T00:00:00Z');

const { SAGABOX_RELAY: relayBefore } = process.env;
afterEach(() => {
  if (relayBefore === undefined) delete process.env.SAGABOX_RELAY;
  else process.env.SAGABOX_RELAY = relayBefore;
});

/** Clients that remember the actions of their calls. */
function clients() {
  const [dynamoDB, sqs] = [dynamoDBClient(), sqsClient()];
  const ofLambda: string[] = [];
  const { requests } = new ClientFaults(dynamoDB);
  return {
    dynamoDB,
    sqs,
    requests,
    lambdaOf: (streamArn: string) => ({
      send: async (command: object) => {
        ofLambda.push(`lambda:${command.constructor.name.replace(/Command$/, '')}`);
        return { State: 'Enabled', EventSourceArn: streamArn, StartingPosition: 'TRIM_HORIZON' };
      },
    }),
    actionsOn: (table: string) => {
      const onTable = requests.filter(({ input }) => JSON.stringify(input).includes(table));
      const operations = onTable.map(({ operation }) => `dynamodb:${operation}`);
      return [...new Set([...operations, ...ofLambda])].toSorted();
    },
    destroy: () => {
      dynamoDB.destroy();
      sqs.destroy();
    },
  };
}

/** Turns the stream of the table on, and says in the environment that it is watched. */
async function watch(dynamoDB: ReturnType<typeof dynamoDBClient>, TableName: string): Promise<string> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const };
  await dynamoDB.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  const watched = [{ table: TableName, mapping: 'mapping' }];
  process.env.SAGABOX_RELAY = JSON.stringify({ endpoints: ['orders'], strategy: 'stream', watched });
  const { Table } = await dynamoDB.send(new DescribeTableCommand({ TableName }));
  return Table?.LatestStreamArn ?? '';
}

async function list(
  dynamoDB: ReturnType<typeof dynamoDBClient>,
  TableName: string,
  partition: string,
  entry: { entryKey?: string; messageId?: string } = {},
): Promise<void> {
  const Item = unsentItem(tableDefaults, {
    endpoint: 'orders',
    storedAt,
    partition,
    messageId: undefined,
    ...entry,
  });
  await dynamoDB.send(new PutItemCommand({ TableName, Item }));
}

/** What the calls of a run need. */
async function actionsOfRun(strategy: Strategy): Promise<string[]> {
  const { dynamoDB, sqs, requests, lambdaOf, actionsOn, destroy } = clients();
  try {
    const tableName = await createTable();
    const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy });
    await committer.commit(storedRecord('m1', [large]), new CapacityMeter());
    await committer.commit(storedRecord(hashed, [outgoingMessage()]), new CapacityMeter());
    const streamArn = strategy === 'stream' ? await watch(dynamoDB, tableName) : '';
    if (strategy === 'stream')
      for (const id of ['m1', hashed])
        await list(dynamoDB, tableName, outboxRecordKey('orders', id).partition);
    requests.length = 0;
    const options = {
      ...{ endpoint: 'orders', outboxTable: { tableName }, strategy, maxReadUnitsPerSecond: 100_000 },
      ...{
        dynamoDBClient: dynamoDB,
        sqsClient: sqs,
        lambdaClient: lambdaOf(streamArn),
        logger: silentLogger,
      },
    };
    // The first run fails, and postpones what it has taken.
    await expect(relayOutbox({ ...options, destinations: {} })()).rejects.toMatchObject({
      code: 'RelayFailed',
    });
    const destinations = { billing: await createQueue() };
    const dispatched = await relayOutbox({ ...options, destinations, includePostponed: true })();
    expect(dispatched).toMatchObject({ dispatched: 2 });
    return actionsOn(tableName);
  } finally {
    destroy();
  }
}

/** What the calls of a run need on a table of sagas with an embedded outbox. */
async function actionsOnSagas(strategy: Strategy): Promise<string[]> {
  const { dynamoDB, sqs, requests, lambdaOf, actionsOn, destroy } = clients();
  try {
    const [outbox, sagas] = [await createTable(), await createTable()];
    const stores = dynamoDBRelay({ client: dynamoDB, tableName: sagas, strategy: 'scan' });
    await commitToSaga(stores, { messageId: 'm1', operations: [outgoingMessage()] });
    const streamArn = strategy === 'stream' ? await watch(dynamoDB, sagas) : '';
    if (strategy === 'stream') {
      const { Items = [] } = await dynamoDB.send(new ScanCommand({ TableName: sagas }));
      const [item] = Items;
      const [entryKey = ''] = Object.keys(item?.pending?.M ?? {});
      await list(dynamoDB, sagas, item?.PK?.S ?? '', { entryKey, messageId: 'm1' });
    }
    requests.length = 0;
    const options = {
      ...{ endpoint: 'orders', outboxTable: { tableName: outbox }, sagaTable: { tableName: sagas } },
      ...{ strategy, maxReadUnitsPerSecond: 100_000, lambdaClient: lambdaOf(streamArn) },
      ...{ dynamoDBClient: dynamoDB, sqsClient: sqs, logger: silentLogger },
    };
    const destinations = { billing: await createQueue() };
    expect(await relayOutbox({ ...options, destinations })()).toMatchObject({ dispatched: 1 });
    return actionsOn(sagas).filter((action) => action.startsWith('dynamodb:'));
  } finally {
    destroy();
  }
}

/** What the watcher calls for changes that show a record unmarked. */
async function actionsOfWatcher(): Promise<string[]> {
  const { dynamoDB, requests, actionsOn, destroy } = clients();
  try {
    const tableName = await createTable();
    const { committer } = dynamoDBRelay({ client: dynamoDB, tableName, strategy: 'scan' });
    await committer.commit(storedRecord('m1', [outgoingMessage()]), new CapacityMeter());
    requests.length = 0;
    const { partition, sort } = outboxRecordKey('orders', 'm1');
    const Keys = { PK: { S: partition }, SK: { S: sort } };
    const eventSourceARN = `arn:aws:dynamodb:eu-west-1:111111111111:table/${tableName}/stream/2026`;
    const Records = [
      { eventSourceARN, eventName: 'INSERT' as const, dynamodb: { Keys, SequenceNumber: '1' } },
    ];
    await watchOutbox({ dynamoDBClient: dynamoDB, logger: silentLogger })({ Records });
    return actionsOn(tableName);
  } finally {
    destroy();
  }
}

function relayStack(strategy: Strategy) {
  const stack = unbundledStack();
  const relayStream = strategy === 'stream';
  const endpoint = inlineEndpoint(stack, 'Orders', {
    sagaTable: new SagaTable(stack, 'Sagas', { relayStream }),
    outboxTable: new OutboxTable(stack, 'Outbox', { relayStream }),
    embeddedOutbox: true,
  });
  new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
  return stack;
}

/** What a function may do with what is named so in the template, or with all for an empty name. */
function granted(stack: ReturnType<typeof relayStack>, role: string, names: RegExp): string[] {
  const allowed = Object.entries(allowedActions(stack, role)).filter(([resource]) => names.test(resource));
  return [...new Set(allowed.flatMap(([, actions]) => actions))].toSorted();
}

describe('the permissions of the relay', () => {
  it.each<Strategy>(['stream', 'scan'])(
    'are those of its calls, no fewer and no more (%s)',
    async (strategy) => {
      const ofOutbox = granted(relayStack(strategy), 'RelayFunction', /Outbox|event-source-mapping/);
      expect(ofOutbox).toEqual(await actionsOfRun(strategy));
    },
  );

  it.each<Strategy>(['stream', 'scan'])(
    'on a table of sagas with an embedded outbox are those of its calls, too (%s)',
    async (strategy) => {
      const ofSagas = granted(relayStack(strategy), 'RelayFunction', /^Allow Sagas$/);
      // For marks that share a call, as those of a run do when they meet: the journey of the deployment proof has some.
      const used = ofSagas.filter((action) => action !== 'dynamodb:PartiQLUpdate');
      expect(used).toEqual(await actionsOnSagas(strategy));
    },
  );

  it('of its watcher are those of its calls, beside those of Lambda that reads the stream', async () => {
    const ofTable = granted(relayStack('stream'), 'RelayWatcher', /^Allow Outbox$/);
    const ofLambda = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const ofWatcher = ofTable.filter((action) => !ofLambda.includes(action.replace('dynamodb:', '')));
    expect(ofWatcher).toEqual(await actionsOfWatcher());
  });
});
