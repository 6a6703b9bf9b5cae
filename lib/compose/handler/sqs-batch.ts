import { configurationError } from '../../kernel/errors/errors.ts';
import type { RetrySettings } from '../../recoverability/policy.ts';
import { assertOptions, sqsBatchChecks } from '../assert-options.ts';
import { configureFailureHandling } from '../configure-failure-handling.ts';
import { loadSettings } from '../load-settings.ts';
import { emittedMetrics } from '../metrics/emitted-metrics.ts';
import type { SqsBatchOptions } from '../options.ts';
import {
  type AttemptHandler,
  batchHandler,
  type MessageHandler,
  type SqsBatchHandler,
} from './batch-handler.ts';
import { throughContext } from './outbox-middleware.ts';

/**
 * Makes a Lambda handler for SQS batches out of a handler of one message. Each record succeeds or fails by
 * itself; those that failed are returned as `batchItemFailures`, for SQS to deliver again.
 *
 * Messages of one FIFO group, and of one saga, run one after another, in their order.
 *
 * @throws SagaboxError `Configuration` for settings out of range. The handler it returns throws
 *   `InvalidEvent` for an event that holds no SQS records, when nothing was run; `Configuration` for a
 *   setting that is missing in the environment; and `BatchFailed` when every record failed (see {@link
 *   SqsBatchOptions.throwOnFullBatchFailure}). SQS delivers the records again.
 * @example
 * ```ts
 * import middy from '@middy/core';
 * import { defineHandlers, sagaOutbox, sqsBatch } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const shipping = defineHandlers({
 *   messages: { ShipOrder: v.object({ orderId: v.string() }) },
 *   handlers: {
 *     ShipOrder(message, { reply }) {
 *       reply('OrderShipped', { orderId: message.body.orderId });
 *     },
 *   },
 * });
 *
 * export const handler = sqsBatch(middy(shipping.handler).use(sagaOutbox()), { concurrency: 5 });
 * ```
 */
export function sqsBatch(handleMessage: MessageHandler, options: SqsBatchOptions = {}): SqsBatchHandler {
  assertOptions('sqsBatch', options, sqsBatchChecks);
  assertHandler(handleMessage);
  return sqsBatchOf(throughContext(handleMessage), options);
}

function assertHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  const problem = `the handler is a value of type ${typeof handler}`;
  throw configurationError('sqsBatch', problem, 'Pass a function, such as what middy returns');
}

/**
 * @param options already checked
 * @param messageTypes the types that the handler takes, if they are known
 */
export function sqsBatchOf(
  handle: AttemptHandler,
  options: SqsBatchOptions,
  messageTypes?: ReadonlySet<string>,
): SqsBatchHandler {
  const configure = (retries: RetrySettings) => {
    const failureHandling = configureFailureHandling(options, retries);
    const start = emittedMetrics(options, process.env, messageTypes);
    const { endpoint = 'unknown' } = failureHandling;
    return { ...failureHandling, startMetrics: start && (() => start(endpoint)) };
  };
  return batchHandler(handle, options, {
    configure,
    loadSettings: (remainingMs) => loadSettings(process.env, remainingMs),
  });
}
