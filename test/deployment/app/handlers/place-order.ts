/** Answers requests over HTTP that place an order: each under its idempotency key. */
import { randomUUID } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';
import { countStep } from './count-step.ts';
import { incompressiblePages, largeText } from './large-text.ts';

interface PlacedOrder {
  readonly orderId: string;
  /** Whether pages go along that make the record one of several items. */
  readonly pages?: boolean;
  readonly exclusive?: boolean;
}

/** Each run of this handler would answer with another receipt. It is large enough for the claim check. */
async function placeOrder(
  event: APIGatewayProxyEventV2,
  { send, transaction }: OutboxSessionContext,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { orderId, pages = false } = orderOf(event);
  transaction.add(countStep(orderId, 'requested'));
  send('orders', 'OrderPlaced', { orderId });
  // Of no order that waits for them.
  for (const page of pages ? incompressiblePages() : [])
    send('orders', 'CardCharged', { orderId: `PricePage of ${orderId}`, page });
  const receipt = { orderId, receiptId: randomUUID(), terms: largeText };
  return { statusCode: 201, headers: { location: `/orders/${orderId}` }, body: JSON.stringify(receipt) };
}

function orderOf({ body = '{}' }: APIGatewayProxyEventV2): PlacedOrder {
  return JSON.parse(body) as PlacedOrder;
}

const placing = (exclusive: boolean) =>
  middy(placeOrder).use(
    outboxSession({
      idempotencyKey: idempotencyKeyHeader(),
      requireIdempotencyKey: true,
      scope: 'public',
      exclusive,
    }),
  );
const [inTurn, atOnce] = [placing(true), placing(false)];

export async function handler(
  event: APIGatewayProxyEventV2,
  context: OutboxSessionContext,
): Promise<unknown> {
  return await (orderOf(event).exclusive ? inTurn : atOnce)(event, context);
}
