import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { dieAt } from '../../test/support/crash.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { receiveMessages } from '../../test/support/received-records.ts';
import { ItemizedPeer, isMetadata, isOperation, isSaga } from './itemized.ts';
import { fromSagaItem } from './itemized-items.ts';

interface Counter {
  applied: string[];
}

interface Count {
  readonly id: string;
  readonly sends: number;
  /** It is applied to a counter that is there, and starts none. */
  readonly startsNone?: boolean;
}

let observer: DynamoDBClient;
let receiver: SQSClient;
let tableName: string;
let queueUrl: string;
const clients: { destroy(): void }[] = [];

beforeAll(() => {
  observer = dynamoDBClient();
  receiver = sqsClient();
});
beforeEach(async () => {
  tableName = await createTable();
  queueUrl = await createQueue();
});
afterAll(() => {
  for (const client of [observer, receiver, ...clients]) client.destroy();
});

function newPeer() {
  const peerClients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
  clients.push(...Object.values(peerClients));
  const meter = new CallRecorder();
  meter.watch(peerClients.dynamoDBClient);
  meter.watch(peerClients.sqsClient);
  const peer = new ItemizedPeer<Count, Counter>({
    ...peerClients,
    tableName,
    endpoint: 'counters',
    sagaName: 'Counter',
    destinations: { next: queueUrl },
    correlate: () => 'hot',
    decide({ id, sends, startsNone }, state) {
      if (state === undefined && startsNone) return undefined;
      return {
        state: { applied: [...(state?.applied ?? []), id] },
        sends: Array.from({ length: sends }, (_, index) => ({
          destination: 'next',
          type: 'Counted',
          body: { index },
        })),
      };
    },
  });
  const callsOf = async (message: Count) => {
    const calls = await meter.during(() => peer.handle(message));
    return calls.map(({ operation }) => operation);
  };
  return { peer, callsOf, ...peerClients };
}

async function items() {
  const { Items = [] } = await observer.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
  const saga = Items.find(isSaga);
  return {
    applied: saga ? fromSagaItem<Counter>(saga).state.applied : [],
    metadata: Items.filter(isMetadata),
    operations: Items.filter(isOperation),
  };
}

const commit = ['Query', 'GetItem', 'TransactWriteItems'];
const dispatch = ['SendMessageBatch', 'UpdateItem', 'BatchWriteItem'];

describe('the itemized peer', () => {
  it('commits, sends, marks and clears, and leaves the metadata with its time to live', async () => {
    const { callsOf } = newPeer();
    expect(await callsOf({ id: 'm1', sends: 2 })).toEqual([...commit, ...dispatch]);
    const { applied, metadata, operations } = await items();
    expect(applied).toEqual(['m1']);
    expect(operations).toEqual([]);
    expect(metadata).toEqual([
      expect.objectContaining({ dispatched: { BOOL: true }, ExpiresAt: { N: expect.any(String) } }),
    ]);
    expect((await receiveMessages(receiver, queueUrl)).map(({ Body }) => Body)).toEqual([
      '{"index":0}',
      '{"index":1}',
    ]);
  });

  it('sends ten in a call, and deletes 25 in a call', async () => {
    const { callsOf } = newPeer();
    const calls = await callsOf({ id: 'm1', sends: 26 });
    expect(calls.filter((call) => call === 'SendMessageBatch')).toHaveLength(3);
    expect(calls.filter((call) => call === 'BatchWriteItem')).toHaveLength(2);
    expect((await items()).operations).toEqual([]);
  });

  it('makes one call for a message that it knows', async () => {
    const { peer, callsOf } = newPeer();
    await peer.handle({ id: 'm1', sends: 1 });
    expect(await callsOf({ id: 'm1', sends: 1 })).toEqual(['Query']);
    expect((await items()).applied).toEqual(['m1']);
  });

  it('stores and marks only the metadata of a message that starts no saga and finds none', async () => {
    const { peer, callsOf } = newPeer();
    const message = { id: 'm1', sends: 1, startsNone: true };
    expect(await callsOf(message)).toEqual(['Query', 'GetItem', 'TransactWriteItems', 'UpdateItem']);
    expect(await receiveMessages(receiver, queueUrl)).toEqual([]);
    const { Items } = await observer.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    expect(Items).toEqual([
      expect.objectContaining({
        SK: { S: 'METADATA' },
        dispatched: { BOOL: true },
        operationCount: { N: '0' },
      }),
    ]);

    // It is known from then on, whatever becomes of the saga.
    await peer.handle({ id: 'm2', sends: 0 });
    expect(await callsOf(message)).toEqual(['Query']);
    expect((await items()).applied).toEqual(['m2']);
  });

  it('sends what was committed and never sent, without running the handler again', async () => {
    const dying = newPeer();
    dieAt([dying.dynamoDBClient, dying.sqsClient], {
      operation: 'TransactWriteItems',
      when: 'after',
      nth: 1,
    });
    await expect(dying.peer.handle({ id: 'm1', sends: 3 })).rejects.toThrow('the function died');
    expect((await items()).operations).toHaveLength(3);
    expect(await receiveMessages(receiver, queueUrl)).toEqual([]);

    const { callsOf } = newPeer();
    expect(await callsOf({ id: 'm1', sends: 3 })).toEqual(['Query', ...dispatch]);
    expect(await receiveMessages(receiver, queueUrl)).toHaveLength(3);
    expect(await items()).toMatchObject({ applied: ['m1'], operations: [] });
  });

  it('applies each message of a batch once, though all of them meet one saga', async () => {
    const { peer } = newPeer();
    const messages = ['m1', 'm2', 'm3'].map((id) => ({ id, sends: 0 }));
    expect(await peer.handleBatch(messages)).toEqual([]);
    expect((await items()).applied.toSorted()).toEqual(['m1', 'm2', 'm3']);
  });

  it('gives back the messages of a batch that fail', async () => {
    const { peer, dynamoDBClient: client, sqsClient: sqs } = newPeer();
    dieAt([client, sqs], { operation: 'Query', when: 'before', nth: 2 });
    const messages = ['m1', 'm2'].map((id) => ({ id, sends: 0 }));
    const failures = await peer.handleBatch(messages);
    expect(failures.map(({ message }) => message.id)).toContain('m2');
  });
});
