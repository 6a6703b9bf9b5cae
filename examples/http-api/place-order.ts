import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';
import * as z from 'zod';

const orderRequest = z.object({ orderId: z.string(), total: z.number().positive() });

/** The order, the message to its saga and the response commit as one. */
export async function placeOrder(
  event: APIGatewayProxyEventV2,
  { send, transaction }: OutboxSessionContext,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { success, data: order } = orderRequest.safeParse(jsonOf(event.body));
  if (!success) return { statusCode: 400, body: 'An order has an orderId and a total' };
  transaction.add({
    Put: {
      TableName: process.env.ORDERS_TABLE ?? 'orders',
      Item: { orderId: { S: order.orderId }, total: { N: String(order.total) } },
    },
  });
  send('orders', 'OrderPlaced', order);
  return { statusCode: 202, headers: { location: `/orders/${order.orderId}` }, body: order.orderId };
}

/** Undefined for what is no JSON, as for no body. */
function jsonOf(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

export const sessionOptions = {
  idempotencyKey: idempotencyKeyHeader(),
  requireIdempotencyKey: true,
  /** For an API without an authorizer: all callers share their keys. */
  scope: 'public',
} as const;

export const handler = middy(placeOrder).use(outboxSession(sessionOptions));
