import { afterAll, expect, it } from '@jest/globals';
import { createHandler, type MessageReport, type SagaboxError } from 'sagabox';
import { sqsEvent, sqsRecord, testSaga } from 'sagabox/testing';
import { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { drain } from '../support/queue.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { orderSaga } from './order-saga.ts';

const dynamoDB = dynamoDBClient();
const sqs = sqsClient();
afterAll(() => {
  dynamoDB.destroy();
  sqs.destroy();
});

const order = (orderId: string, id: string, type = 'OrderPlaced', notes?: string) => {
  return sqsRecord({
    type,
    body: { orderId, total: 5, notes },
    id,
    headers: { 'Sagabox.ConversationId': 'c' },
  });
};

const records = [
  order('1', 'a'),
  order('1', 'a'),
  order('1', 'b'),
  order('2', 'c', 'CardCharged'),
  order('2', 'd'),
  order('2', 'e', 'CardCharged'),
  order('1', 'f', 'StateSpoiled'),
  order('1', 'g', 'Unheard'),
  order('', 'h'),
  order('3', 'i', 'OrderPlaced', 'x'.repeat(410_000)),
  order('4', 'j', 'PlacedAndCancelled'),
  sqsRecord({ type: 'OrderPlaced', id: 'k', rawBody: '{' }),
];

interface Observed {
  outcomes: string[];
  states: unknown[];
  sent: unknown[];
}

it('the test kit and the real engines agree, message by message', async () => {
  const inMemory = await observeTestKit();
  expect(await observeEngines()).toEqual(inMemory);
  expect(inMemory.outcomes).toEqual([
    'handled',
    'duplicate',
    'handled',
    'discarded',
    'handled',
    'handled',
    'UnsupportedState',
    'UnknownMessageType',
    'CorrelationMissing',
    'ItemTooLarge',
    'handled',
    'InvalidMessage',
  ]);
});

async function observeTestKit(): Promise<Observed> {
  const saga = testSaga(orderSaga, { endpoint: 'orders' });
  const outcomes: string[] = [];
  for (const record of records) {
    outcomes.push(
      await saga.deliverRecord(record).then(
        ({ outcome }) => outcome,
        (error: SagaboxError) => error.code,
      ),
    );
  }
  const sent = saga.outgoing.map(({ id, type, body }) => ({ id, type, body }));
  return { outcomes, states: ['1', '2', '3', '4'].map((id) => saga.state(id)), sent: byId(sent) };
}

async function observeEngines(): Promise<Observed> {
  const [tableName, userTable, billing, own] = await Promise.all([
    createTable(),
    createTable(),
    createQueue(),
    createQueue(),
  ]);
  const outcomes: string[] = [];
  const handler = createHandler(withUserTable(userTable), {
    throwOnFullBatchFailure: false,
    endpoint: 'orders',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { orders: own, billing, mail: billing },
    dynamoDBClient: dynamoDB,
    sqsClient: sqs,
    onMessage: ({ outcome }: MessageReport) => void (outcome !== 'failed' && outcomes.push(outcome)),
    logger: { ...silentLogger, error: (_, { code }) => void outcomes.push(String(code)) },
  });
  for (const record of records) await handler(sqsEvent([record]));

  const { sagas } = dynamoDBPorts({ client: dynamoDB, sagaTable: tableName });
  const states = ['1', '2', '3', '4'].map(async (id) => {
    return (await sagas.load({ name: 'OrderSaga', id }, new CapacityMeter()))?.readState();
  });
  return { outcomes, states: await Promise.all(states), sent: byId(await drain(sqs, billing)) };
}

function byId(messages: readonly { id: string }[]): unknown[] {
  return messages.toSorted((a, b) => a.id.localeCompare(b.id));
}

/** The saga's own writes go to a table that is there, under the keys that it has. */
function withUserTable(tableName: string): typeof orderSaga {
  return {
    ...orderSaga,
    handler: async (message, context) => {
      const add: typeof context.transaction.add = ({ Put }) => {
        const key = { PK: { S: message.id }, SK: { S: 'USER' } };
        context.transaction.add({ Put: { TableName: tableName, Item: { ...key, ...Put?.Item } } });
      };
      await orderSaga.handler(message, { ...context, transaction: { add } });
    },
  };
}
