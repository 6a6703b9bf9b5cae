import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { dieAt } from '../../test/support/crash.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { receiveMessages } from '../../test/support/received-records.ts';
import type { OrderState } from '../orders/order-data.ts';
import { eventOf, type OrderMessage, packed, placed } from '../orders/order-messages.ts';
import { startItemized } from './itemized.ts';
import { isMetadata, isOperation, isSaga } from './itemized-items.ts';

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
  const ownClients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
  clients.push(...Object.values(ownClients));
  const recorder = new CallRecorder();
  recorder.watch(ownClients.dynamoDBClient, ownClients.sqsClient);
  const deliverEvent = startItemized({ ...ownClients, tableName, queueUrl });
  /** @returns the operations of its calls */
  const deliver = async (...messages: OrderMessage[]) => {
    const calls = await recorder.during(() => deliverEvent(eventOf(messages)));
    return calls.map(({ operation }) => operation);
  };
  return { deliver, ...ownClients };
}

/** Changes the order, and sends so many messages. */
function change(id: string, sends = 0): OrderMessage {
  const parcels = Array.from({ length: sends }, (_, index) => ({ index }));
  return packed('hot', parcels, id);
}

/** Places the order: version 1 of its saga. */
async function placeOrder(): Promise<void> {
  await newPeer().deliver(placed('hot', { note: 'new' } as OrderState, 'm0'));
}

async function items() {
  const { Items = [] } = await observer.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
  return {
    version: Number(Items.find(isSaga)?.version?.N),
    metadata: Items.filter(isMetadata),
    operations: Items.filter(isOperation),
  };
}

const commit = ['Query', 'GetItem', 'TransactWriteItems'];
const dispatch = ['SendMessageBatch', 'UpdateItem', 'BatchWriteItem'];

describe('the itemized peer', () => {
  it('commits, sends, marks and clears, and leaves the metadata with its time to live', async () => {
    await placeOrder();
    expect(await newPeer().deliver(change('m1', 2))).toEqual([...commit, ...dispatch]);
    const { version, metadata, operations } = await items();
    expect([version, operations]).toEqual([2, []]);
    const marked = { dispatched: { BOOL: true }, ExpiresAt: { N: expect.any(String) } };
    expect(metadata).toEqual([expect.objectContaining(marked), expect.objectContaining(marked)]);
    const sent = await receiveMessages(receiver, queueUrl);
    expect(sent.map(({ Body }) => Body)).toEqual(['{"index":0}', '{"index":1}']);
  });

  it('sends ten in a call, and deletes 25 in a call', async () => {
    await placeOrder();
    const calls = await newPeer().deliver(change('m1', 26));
    expect(calls.filter((call) => call === 'SendMessageBatch')).toHaveLength(3);
    expect(calls.filter((call) => call === 'BatchWriteItem')).toHaveLength(2);
    expect((await items()).operations).toEqual([]);
  });

  it('makes one call for a message that it knows', async () => {
    await placeOrder();
    const { deliver } = newPeer();
    await deliver(change('m1', 1));
    expect(await deliver(change('m1', 1))).toEqual(['Query']);
    expect((await items()).version).toBe(2);
  });

  it('stores and marks only the metadata of a message that starts no saga and finds none', async () => {
    const { deliver } = newPeer();
    expect(await deliver(change('m1', 1))).toEqual([...commit, 'UpdateItem']);
    expect(await receiveMessages(receiver, queueUrl)).toEqual([]);
    const stored = { dispatched: { BOOL: true }, operationCount: { N: '0' } };
    expect((await items()).metadata).toEqual([expect.objectContaining(stored)]);

    // It is known from then on, also if its saga exists.
    await placeOrder();
    expect(await deliver(change('m1', 1))).toEqual(['Query']);
    expect((await items()).version).toBe(1);
  });

  it('sends what was committed and never sent, without running the handler again', async () => {
    await placeOrder();
    const dying = newPeer();
    const afterCommit = { operation: 'TransactWriteItems', when: 'after', nth: 1 } as const;
    dieAt([dying.dynamoDBClient, dying.sqsClient], afterCommit);
    await expect(dying.deliver(change('m1', 3))).rejects.toThrow('the function died');
    expect((await items()).operations).toHaveLength(3);
    expect(await receiveMessages(receiver, queueUrl)).toEqual([]);

    expect(await newPeer().deliver(change('m1', 3))).toEqual(['Query', ...dispatch]);
    expect(await receiveMessages(receiver, queueUrl)).toHaveLength(3);
    expect(await items()).toMatchObject({ version: 2, operations: [] });
  });

  it('applies each message of a batch once, though all of them belong to one saga', async () => {
    await placeOrder();
    await newPeer().deliver(change('m1'), change('m2'), change('m3'));
    expect((await items()).version).toBe(4);
  });

  it('fails an event of which one message fails', async () => {
    const { deliver, dynamoDBClient: client, sqsClient: sqs } = newPeer();
    dieAt([client, sqs], { operation: 'Query', when: 'before', nth: 2 });
    await expect(deliver(change('m1'), change('m2'))).rejects.toThrow('the function died');
  });
});
