import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { defineSaga, sagaOutbox, sqsBatch } from 'sagabox';

export interface Order {
  readonly orderId: string;
  readonly total: number;
}

/** The function of one saga. */
export function orderHandler(order: StandardSchemaV1<Order>) {
  const saga = defineSaga({
    name: 'Order',
    messages: { OrderPlaced: order },
    correlate: { OrderPlaced: ({ orderId }) => orderId },
    startedBy: ['OrderPlaced'],
    initialState: () => ({ total: 0 }),
    handlers: {
      OrderPlaced({ body }, { saga: { state }, send }) {
        state.total = body.total;
        send('billing', 'ChargeCard', { orderId: body.orderId });
      },
    },
  });
  // Left to itself, sagabox makes its clients at the first message. Made here, they are in the time to load,
  // as the one is that Powertools makes.
  const clients = { dynamoDBClient: new DynamoDBClient(), sqsClient: new SQSClient() };
  return sqsBatch(middy(saga.handler).use(sagaOutbox({ saga, ...clients })));
}
