import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { httpApiEvent } from '../../test/support/http-events.ts';

/** What every contender does: it answers, and has nothing to write or to send. */
export async function placeOrder({
  body = '{}',
}: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const { orderId, total } = JSON.parse(body) as { orderId: string; total: number };
  const headers = { 'content-type': 'application/json', location: `/orders/${orderId}` };
  return { statusCode: 201, headers, body: JSON.stringify({ orderId, total, state: 'placed' }) };
}

/** A request as Lambda passes it to a function: parsed each time, under the same idempotency key. */
export function sameRequest(): () => APIGatewayProxyEventV2 {
  const event = httpApiEvent({
    headers: { 'idempotency-key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"', 'user-agent': 'bench' },
    body: JSON.stringify({ orderId: 'order-42', customer: 'A customer of some renown', total: 129.9 }),
  });
  const text = JSON.stringify(event);
  return () => JSON.parse(text);
}
