import { senderOf, withParticipants } from '../../messages/contracts/participant.ts';
import { assertOptions, sagaOutboxChecks } from '../assert-options.ts';
import { configuredFlow } from '../configured-flow.ts';
import type { SagaOutboxOptions } from '../options.ts';
import { type OutboxMiddleware, outboxMiddleware } from './outbox-middleware.ts';

/**
 * Middy middleware for a handler of one message. Before the handler: dedup check and saga load; after it:
 * commit, dispatch, mark. Wrap the middy handler in {@link sqsBatch}.
 *
 * The event is the message that sqsBatch makes of a record; an SQS record itself does as well.
 *
 * @throws SagaboxError from the hooks, as docs/reference/errors.md says
 * @example
 * ```ts
 * import middy from '@middy/core';
 * import { type HandlerContext, type IncomingMessage, sagaOutbox, sqsBatch } from 'sagabox';
 *
 * async function welcome(message: IncomingMessage, { send }: HandlerContext): Promise<void> {
 *   send('mail', 'WelcomeCustomer', message.body);
 * }
 *
 * export const handler = sqsBatch(middy(welcome).use(sagaOutbox()));
 * ```
 */
export function sagaOutbox(options: SagaOutboxOptions = {}): OutboxMiddleware {
  assertOptions('sagaOutbox', options, sagaOutboxChecks);
  return sagaOutboxOf(options);
}

/** @param options already checked */
export function sagaOutboxOf(options: SagaOutboxOptions): OutboxMiddleware {
  return withParticipants(outboxMiddleware(configuredFlow(options), options), [senderOf(options)]);
}
