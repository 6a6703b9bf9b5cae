import middy from '@middy/core';
import type { CreateHandlerOptions, SqsBatchHandler, SqsBatchOptions } from 'sagabox';
import { configureFailureHandling } from '../../lib/compose/configure-failure-handling.ts';
import { configureFlow } from '../../lib/compose/configure-flow.ts';
import { flowOnce } from '../../lib/compose/flow-source.ts';
import { batchHandler, type MessageHandler } from '../../lib/compose/handler/batch-handler.ts';
import { attemptStateOf } from '../../lib/compose/handler/open-context.ts';
import {
  type OutboxMiddleware,
  outboxMiddleware,
  throughContext,
} from '../../lib/compose/handler/outbox-middleware.ts';
import { sagaOutboxOf } from '../../lib/compose/handler/saga-outbox.ts';
import { sqsBatchOf } from '../../lib/compose/handler/sqs-batch.ts';
import type { SagaRules } from '../../lib/saga/definition/define-saga.ts';

export type PeerSaga = SagaRules & { readonly handler: MessageHandler };

/** A loop by hand has no end: it ends when its write succeeds. */
const maxRetries = 1000;

/**
 * The loop around a conditional write that is written by hand. It lacks three things that sagabox has: turns
 * within a batch, jitter, and an end. The conditions, the commit and the average delay are those of sagabox.
 */
export function retryWithoutJitterHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const immediateRetries = { ...options.recoverability?.immediateRetries, maxRetries };
  const recoverability = { ...options.recoverability, immediateRetries };
  return withoutJitter(withoutTurns(saga, sagaOutboxOf({ ...options, saga })), {
    ...options,
    recoverability,
  });
}

/** Sagabox without the leases of its crowds. */
export function turnsWithoutLeaseHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const makeFlow = () => ({ ...configureFlow({ ...options, saga }), leases: undefined });
  return sqsBatchOf(throughContext(withTurns(saga, outboxMiddleware(flowOnce(makeFlow), options))), options);
}

/** Sagabox without its turns. */
export function jitterWithoutTurnsHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  return sqsBatchOf(throughContext(withoutTurns(saga, sagaOutboxOf({ ...options, saga }))), options);
}

/** Jitter takes a random share of each delay, half of it on average; here it is always half of it. */
function withoutJitter(handleMessage: MessageHandler, options: SqsBatchOptions): SqsBatchHandler {
  return batchHandler(throughContext(handleMessage), options, {
    configure: (retries) => configureFailureHandling(options, retries, { random: () => 0.5 }),
  });
}

/** The saga with its middleware: the messages of a batch that belong to one saga take turns. */
function withTurns(saga: PeerSaga, outbox: OutboxMiddleware): MessageHandler {
  return middy(saga.handler as () => Promise<unknown>).use(outbox);
}

/**
 * The messages of a batch that belong to one saga work on it at once: without the attempt of the batch,
 * `sagaOutbox` makes one of its own for each message, which waits for no other.
 */
export function withoutTurns(saga: PeerSaga, outbox: OutboxMiddleware): MessageHandler {
  const handle = withTurns(saga, outbox) as (message: unknown, context: unknown) => unknown;
  return (message, context: object) => handle(message, { ...context, [attemptStateOf]: undefined });
}
