import { senderOf, withParticipants } from '../../messages/contracts/participant.ts';
import { awsSessionOpener } from './aws-session-opener.ts';
import { type OutboxSessionMiddleware, sessionMiddleware } from './session-middleware.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/**
 * Middy middleware for a Lambda function of any event: an HTTP API of API Gateway, a function URL, an
 * Application Load Balancer, a schedule, EventBridge, a stream. The handler's own writes, its messages and
 * its response commit as one when it returns; then the messages are sent. A request that comes again under
 * its idempotency key gets the stored response.
 *
 * Use it before other middlewares: their changes to a response are stored, too, and none of them runs for a
 * stored response. None of them may return a value: Middy ends the request there, without the commit, so that
 * it fails with `CommitSkipped`. They change `request.response` instead; a middleware that answers from
 * `before` is used before this one.
 *
 * @throws SagaboxError `Configuration` for options that cannot be used. A request fails with `Configuration`
 *   for settings that are missing, or an idempotency key without a caller; with `ResponseNotStorable`; and
 *   with the errors of its commit. Nothing is committed or sent then
 * @example
 * ```ts
 * import middy from '@middy/core';
 * import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda';
 * import { idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';
 *
 * async function placeOrder(
 *   event: APIGatewayProxyEventV2,
 *   { send }: OutboxSessionContext,
 * ): Promise<APIGatewayProxyResultV2> {
 *   const order = JSON.parse(event.body ?? '{}');
 *   send('orders', 'OrderPlaced', order);
 *   return { statusCode: 202, body: JSON.stringify({ orderId: order.orderId }) };
 * }
 *
 * export const handler = middy(placeOrder).use(
 *   outboxSession({ idempotencyKey: idempotencyKeyHeader(), requireIdempotencyKey: true }),
 * );
 * ```
 */
export function outboxSession(options: OutboxSessionOptions = {}): OutboxSessionMiddleware {
  const open = awsSessionOpener('outboxSession', options);
  const middleware = sessionMiddleware(open, async (remainingMs) =>
    options.tracing?.flush(remainingMs() / 2),
  );
  return withParticipants(middleware, [senderOf(options)]);
}
