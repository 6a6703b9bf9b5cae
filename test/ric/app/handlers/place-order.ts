import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda';
import { idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';

async function placeOrder(
  { body }: APIGatewayProxyEventV2,
  { send, transaction, logger, awsRequestId }: OutboxSessionContext,
): Promise<APIGatewayProxyResultV2> {
  const { orderId }: { orderId: string } = JSON.parse(body ?? '');
  logger.info('Placing an order', { orderId });
  transaction.add({
    Put: {
      TableName: process.env.ORDERS_TABLE ?? '',
      Item: { orderId: { S: orderId } },
      ConditionExpression: 'attribute_not_exists(orderId)',
    },
  });
  send('orders', 'OrderPlaced', { orderId });
  // Tells the attempts apart: the response has to be that of the one that committed.
  return { statusCode: 202, body: JSON.stringify({ orderId, placedBy: awsRequestId }) };
}

export const handler = middy(placeOrder).use(
  outboxSession({ idempotencyKey: idempotencyKeyHeader(), requireIdempotencyKey: true }),
);
