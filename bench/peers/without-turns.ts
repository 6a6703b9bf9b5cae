import middy from '@middy/core';
import type { SagaRules } from '../../lib/core/saga/define-saga.ts';
import type { MessageHandler } from '../../lib/middleware/batch-handler.ts';
import { attemptStateOf, type OutboxMiddleware } from '../../lib/middleware/outbox-middleware.ts';

export type PeerSaga = SagaRules & { readonly handler: MessageHandler };

/** The saga, with its middleware: each message in its turn. */
export function withTurns(saga: PeerSaga, outbox: OutboxMiddleware): MessageHandler {
  return middy(saga.handler as () => Promise<unknown>).use(outbox);
}

/**
 * Each message at once, whoever else of its batch works on its saga: hidden from `sagaOutbox` is the attempt
 * of the batch, so that it makes one of its own, which waits for no other.
 */
export function withoutTurns(saga: PeerSaga, outbox: OutboxMiddleware): MessageHandler {
  const handle = withTurns(saga, outbox) as (message: unknown, context: unknown) => unknown;
  return (message, context: object) => handle(message, { ...context, [attemptStateOf]: undefined });
}
