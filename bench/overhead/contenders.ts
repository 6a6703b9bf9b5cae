import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import middy from '@middy/core';
import type { Context as LambdaContext, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { defineHandlers, defineSaga, type SagaOutboxOptions, sagaOutbox, sqsBatch } from 'sagabox';
import { powertoolsHandler } from '../peers/powertools-handler.ts';
import { type OrderPlaced, orderFrom, orderSchema } from './orders.ts';
import type { StubClients } from './stub-clients.ts';

/**
 * One way to handle the same batches of orders.
 *
 * @param effect what the handler of one message does
 */
export type StartContender = (
  clients: StubClients,
  effect: (order: OrderPlaced) => void,
) => (event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse>;

const tableName = 'messages';
const billing = 'billing';

/**
 * What Powertools' batch and idempotency do, and no more: each message is looked up, handled, and remembered.
 * This is the figure to compare; a saga and its messages have no counterpart there.
 */
const sagabox: StartContender = (clients, effect) => {
  const orders = defineHandlers({
    messages: { OrderPlaced: orderSchema },
    handlers: { OrderPlaced: ({ body }) => effect(body) },
  });
  return sqsBatch(middy(orders.handler).use(sagaOutbox(optionsOf(clients))));
};

/** Everything: a new saga for each message, and one outgoing message of each, dispatched and marked. */
const sagaboxSaga: StartContender = (clients, effect) => {
  const saga = defineSaga({
    name: 'Order',
    messages: { OrderPlaced: orderSchema },
    correlate: { OrderPlaced: ({ orderId }) => orderId },
    startedBy: ['OrderPlaced'],
    initialState: () => ({ total: 0 }),
    handlers: {
      OrderPlaced({ body }: { body: OrderPlaced }, { saga: { state }, send }) {
        effect(body);
        state.total = body.total;
        send(billing, 'ChargeCard', { orderId: body.orderId, amount: body.total });
      },
    },
  });
  return sqsBatch(middy(saga.handler).use(sagaOutbox({ ...optionsOf(clients), saga })));
};

function optionsOf({ dynamoDBClient, sqsClient }: StubClients): SagaOutboxOptions {
  return {
    endpoint: 'orders',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { [billing]: 'https://sqs.eu-west-1.amazonaws.com/000000000000/billing' },
    dynamoDBClient,
    sqsClient,
  };
}

const powertools: StartContender = ({ dynamoDBClient }, effect) => {
  const store = new DynamoDBPersistenceLayer({ tableName: 'idempotency', awsSdkV3Client: dynamoDBClient });
  return powertoolsHandler(store, async ({ body }) => effect(orderFrom(JSON.parse(body))));
};

/** The minimum: a duplicate is handled twice, and one failure fails the batch. */
const bareMiddy: StartContender = (_clients, effect) =>
  middy<SQSEvent>().handler(async (event) => {
    for (const { body } of event.Records) effect(orderFrom(JSON.parse(body)));
    return { batchItemFailures: [] };
  });

export const contenders = { sagabox, sagaboxSaga, powertools, middy: bareMiddy } as const;
