import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { testSession } from 'sagabox/testing';
import { placeOrder, sessionOptions } from './place-order.ts';

/** As an HTTP API gives it to the function; the parts that the function and its session read. */
export function request(key: string | undefined, order: object | string): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    routeKey: 'POST /orders',
    rawPath: '/orders',
    headers: { ...(key !== undefined && { 'idempotency-key': key }) },
    requestContext: { http: { method: 'POST', path: '/orders' } },
    body: typeof order === 'string' ? order : JSON.stringify(order),
  } as Partial<APIGatewayProxyEventV2> as APIGatewayProxyEventV2;
}

/** A client that repeats its requests, on a session in memory. */
export async function answers(): Promise<Readonly<Record<string, string>>> {
  const session = testSession(placeOrder, sessionOptions);
  const order = { orderId: '42', total: 100 };
  const ask = async (key: string | undefined, body: object | string) => {
    const { response, hasRun } = await session.run(request(key, body));
    return `${response.statusCode}, ${hasRun ? 'the handler has run' : 'the handler has not run'}`;
  };
  const told = {
    'an order': await ask('key-1', order),
    'the same request again': await ask('key-1', order),
    'another order under its key': await ask('key-1', { ...order, total: 1 }),
    'no JSON': await ask('key-2', '{'),
    'no key': await ask(undefined, order),
  };
  return { ...told, 'messages sent': String(session.outgoing.length) };
}
