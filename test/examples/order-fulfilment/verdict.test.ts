import { randomUUID } from 'node:crypto';
import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { Notifications } from '../../../examples/order-fulfilment/notifications.ts';
import { judge, type Verdict } from '../../../examples/order-fulfilment/verdict.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../../support/engines.ts';

const dynamoDB = dynamoDBClient();
const sqs = sqsClient();

interface World {
  charges?: number;
  shipments?: number;
  /** Message ids under which the fulfilment arrived. */
  fulfilledAs?: string[];
  remindedAs?: string[];
  /** Message ids under which ChargeCard was delivered. */
  chargeSentAs?: string[];
  handledMessages?: number;
  timedOut?: boolean;
  openSaga?: boolean;
  dispatched?: boolean;
}

async function createLedger(counter: string, count: number): Promise<string> {
  const tableName = `test-${randomUUID()}`;
  await dynamoDB.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'orderId', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'orderId', KeyType: 'HASH' }],
    }),
  );
  if (count > 0) await put(tableName, { orderId: 'o1', [counter]: count });
  return tableName;
}

async function put(tableName: string, item: object): Promise<void> {
  await dynamoDB.send(new PutItemCommand({ TableName: tableName, Item: marshall(item) }));
}

async function arrive(queueUrl: string, type: string, messageId: string, body: object): Promise<void> {
  const text = (value: string) => ({ DataType: 'String', StringValue: value });
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify({ orderId: 'o1', ...body }),
      MessageAttributes: { 'Sagabox.MessageType': text(type), 'Sagabox.MessageId': text(messageId) },
    }),
  );
}

/** One order for which all went well, but for what is said otherwise. */
async function verdictOn(world: World = {}): Promise<Verdict> {
  const sagaTable = await createTable();
  const outboxTable = await createTable();
  const queueUrl = await createQueue();
  if (world.openSaga) await put(sagaTable, { PK: 'SAGA#OrderSaga#o1', SK: 'SAGA', version: 1 });
  await put(outboxTable, { PK: 'OUTBOX#orders#m1', SK: 'RECORD', dispatched: world.dispatched ?? true });
  for (const id of world.fulfilledAs ?? ['f1']) {
    await arrive(queueUrl, 'OrderFulfilled', id, { handledMessages: world.handledMessages ?? 3 });
  }
  for (const id of world.remindedAs ?? []) await arrive(queueUrl, 'PaymentReminder', id, {});
  const notifications = new Notifications();
  await notifications.drain(sqs, queueUrl, new AbortController().signal);
  return judge({
    orderIds: ['o1'],
    dynamoDBClient: dynamoDB,
    outputs: {
      SagaTableName: sagaTable,
      OutboxTableName: outboxTable,
      ChargesTableName: await createLedger('charges', world.charges ?? 1),
      ShipmentsTableName: await createLedger('shipments', world.shipments ?? 1),
    },
    notifications,
    messageIds: (type) => new Set(type === 'ChargeCard' ? (world.chargeSentAs ?? ['c1']) : ['m1']),
    ordersTimedOut: new Set(world.timedOut ? ['o1'] : []),
  });
}

describe('the verdict on a run', () => {
  it('is clean when each effect is there once, also when its message arrived twice', async () => {
    const clean = { completedOrders: 1, lost: [], appliedTwice: [], undispatched: [] };
    expect(await verdictOn()).toEqual(clean);
    expect(await verdictOn({ fulfilledAs: ['f1', 'f1'], remindedAs: ['r1', 'r1'] })).toEqual(clean);
    expect(await verdictOn({ handledMessages: 4, timedOut: true })).toEqual(clean);
  });

  it.each<[World, string]>([
    [{ charges: 0 }, 'charge of o1'],
    [{ shipments: 0 }, 'shipment of o1'],
    [{ fulfilledAs: [] }, 'OrderFulfilled message of o1'],
    [{ chargeSentAs: [] }, 'ChargeCard message of o1'],
    [{ openSaga: true }, 'completion of the saga of o1'],
  ])('finds %j lost', async (world, effect) => {
    expect(await verdictOn(world)).toMatchObject({ completedOrders: 0, lost: [effect], appliedTwice: [] });
  });

  it.each<[World, string]>([
    [{ charges: 2 }, 'charge of o1 (2 times)'],
    [{ shipments: 3 }, 'shipment of o1 (3 times)'],
    [{ fulfilledAs: ['f1', 'f2'] }, 'OrderFulfilled message of o1 (2 times)'],
    [{ chargeSentAs: ['c1', 'c2'] }, 'ChargeCard message of o1 (2 times)'],
    [{ remindedAs: ['r1', 'r2'] }, 'PaymentReminder message of o1 (2 times)'],
    [{ handledMessages: 4 }, 'saga change of o1 (4 messages applied, 3 were sent)'],
    [{ handledMessages: 5, timedOut: true }, 'saga change of o1 (5 messages applied, 4 were sent)'],
  ])('finds %j applied twice', async (world, effect) => {
    expect(await verdictOn(world)).toMatchObject({ lost: [], appliedTwice: [effect] });
  });

  it('finds outbox records that were never dispatched', async () => {
    expect((await verdictOn({ dispatched: false })).undispatched).toEqual(['OUTBOX#orders#m1']);
  });
});
