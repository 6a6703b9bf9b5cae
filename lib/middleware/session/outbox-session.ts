import type { MiddlewareObj, Request } from '@middy/core';
import { senderOf, withParticipants } from '../../core/contracts/participant.ts';
import type { OutboxSessionContext } from '../../core/session/session-context.ts';
import type { Answer } from '../../flow/session/session-attempt.ts';
import { remainingTime } from '../remaining-time.ts';
import { awsSessionOpener } from './aws-session-opener.ts';
import type { Opened } from './open-session.ts';
import type { OutboxSessionOptions } from './session-options.ts';

/** Of handlers of any event, and with any response. */
// biome-ignore lint/suspicious/noExplicitAny: as the middlewares of middy for all events have it
export type OutboxSessionMiddleware = MiddlewareObj<any, any, Error, OutboxSessionContext>;

type SessionRequest = Request<unknown, unknown, Error, OutboxSessionContext>;

type OpenedSession = Exclude<Opened, { answer: Answer }>;

/**
 * Middy middleware for a Lambda function of any event: an HTTP API of API Gateway, a function URL, an
 * Application Load Balancer, a schedule, EventBridge, a stream. The handler's own writes, its messages and its
 * response commit as one when it returns; then the messages are sent. A request that comes again under its
 * idempotency key gets the stored response.
 *
 * Use it before all other middlewares: what those change in a response is stored too then, and nothing of them
 * runs for a stored response.
 *
 * @throws SagaboxError `Configuration` for options that cannot be used. A request fails with `Configuration`
 *   for settings that are missing, or an idempotency key without a caller; with `ResponseNotStorable`; and with
 *   what its commit throws. Nothing is committed or sent then
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
  // Not in `request.internal`: middy 6 shares that between requests when its plugin has one.
  const running = new WeakMap<SessionRequest, OpenedSession>();

  const end = async ({ context }: SessionRequest, { leave }: OpenedSession) => {
    await leave();
    await options.tracing?.flush(remainingTime(context)() / 2);
  };

  const before = async (request: SessionRequest) => {
    const opened = await open(request.event, request.context);
    if ('answer' in opened) return early(opened.answer);
    running.set(request, opened);
    const answer = await opened.session.begin();
    if (answer) {
      running.delete(request);
      await end(request, opened);
      return early(answer);
    }
    Object.assign(request.context, opened.session.scope);
    return undefined;
  };

  const after = async (request: SessionRequest) => {
    const opened = running.get(request) as OpenedSession;
    const { session } = opened;
    running.delete(request);
    let response: unknown;
    try {
      // A query builder, say, does its work when it is first awaited, and middy awaits promises only.
      response = await request.response;
      request.response = (await session.commit(response)).response;
    } catch (error) {
      request.response = (await session.fail(error, response)).response;
    } finally {
      await end(request, opened);
    }
  };

  const onError = async (request: SessionRequest) => {
    const opened = running.get(request);
    if (opened === undefined) return;
    running.delete(request);
    try {
      request.response = early(await opened.session.fail(request.error));
    } catch (error) {
      // What another middleware made of the error stays.
      if (error !== request.error) throw error;
    } finally {
      await end(request, opened);
    }
  };

  return withParticipants({ before, after, onError }, [senderOf(options)]);
}

/** Middy takes anything but undefined for an answer, and Lambda answers `null` for both. */
function early({ response }: Answer): unknown {
  return response ?? null;
}
