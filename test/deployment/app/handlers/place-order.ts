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
}

/**
 * Each run of this handler would answer with another receipt, in its headers as in its body. It is large enough for
 * the claim check.
 */
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
  const receiptId = randomUUID();
  return {
    statusCode: 201,
    headers: { 'content-type': 'application/json', location: `/orders/${orderId}/receipts/${receiptId}` },
    cookies: [`receipt=${receiptId}`],
    body: JSON.stringify({ orderId, receiptId, terms: largeText }),
  };
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
  // A header, so that it is the same request in any case: sessions of both kinds meet under one key.
  const { 'x-exclusive': exclusive } = event.headers;
  return await (exclusive === 'true' ? inTurn : atOnce)(event, context);
}
