import type { Context as LambdaContext, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { SagaboxError } from '../core/failures/errors.ts';
import { readEnvelope } from '../core/incoming/envelope.ts';
import { batchError, processBatch } from '../flow/batch/batch.ts';
import { InvocationTime, type StartTimer } from '../flow/batch/invocation-time.ts';
import { type BatchRun, runRecord } from '../flow/batch/run-record.ts';
import { SagaTurns } from '../flow/batch/saga-turns.ts';
import type { Recoverability } from '../flow/recoverability/recoverability.ts';
import { assertOptions } from './assert-options.ts';
import { attemptStateOf } from './attempt-context.ts';
import { type BatchRecoverability, configureRecoverability } from './configure-recoverability.ts';
import { defaults } from './defaults.ts';
import type { SqsBatchOptions } from './options.ts';
import { recoverabilitySettings, timeMargins } from './recoverability-settings.ts';
import { assertQueueOptions, wholeNumber } from './settings.ts';
import { startSystemTimer } from './system-timer.ts';

/** Handles one message; a middy handler is one. */
export type MessageHandler = (message: never, context: never) => unknown;

export type SqsBatchHandler = (event: unknown, context?: LambdaContext) => Promise<SQSBatchResponse>;

/**
 * Makes a Lambda handler for SQS batches out of a handler of one message. Each record succeeds or fails by itself;
 * those that failed are returned as `batchItemFailures`, for SQS to deliver again.
 *
 * Messages of one FIFO group, and of one saga, run one after another, in their order.
 *
 * @throws SagaboxError `Configuration` for settings out of range. The handler it returns throws `InvalidEvent` for an event
 *   that holds no SQS records, when nothing was run; `Configuration` for what is missing in the environment; and `BatchFailed` when
 *   every record failed (see {@link SqsBatchOptions.throwOnFullBatchFailure}). SQS delivers the records again.
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
  return batchHandler(handleMessage, options, {});
}

/** Stands in for parts of the system, in tests. */
export interface BatchSystem extends Partial<Pick<Recoverability, 'now' | 'sleep' | 'random'>> {
  startTimer?: StartTimer;
}

/** {@link sqsBatch}, on a system that can be replaced. */
export function batchHandler(
  handleMessage: MessageHandler,
  options: SqsBatchOptions,
  { startTimer = startSystemTimer, ...system }: BatchSystem,
): SqsBatchHandler {
  assertOptions('sqsBatch', options);
  assertHandler(handleMessage);
  const concurrency = wholeNumber('concurrency', options.concurrency ?? defaults.concurrency, 1);
  const { throwOnFullBatchFailure = defaults.throwOnFullBatchFailure } = options;
  const settings = recoverabilitySettings(options);
  const margins = timeMargins(options);
  assertQueueOptions(options);
  const handle = handleMessage as (message: unknown, context: unknown) => unknown;
  let configured: BatchRecoverability | undefined;

  return async (event, context) => {
    const records = recordsOf(event);
    // At the first batch, not when the module loads: a test may load a handler where no queue is configured.
    configured ??= configureRecoverability(options, settings, system);
    const { recoverability, delayReturned } = configured;
    const remainingMs = () => context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
    const time = new InvocationTime(remainingMs, margins, startTimer);
    const run: BatchRun = {
      read: (record) => readEnvelope(record, options),
      // A context of its own for each attempt: the messages of a batch run side by side.
      handle: async (message, state, signal) =>
        handle(message, { ...context, signal, [attemptStateOf]: state }),
      recoverability,
      time,
      turns: new SagaTurns(),
      outbox: options.outbox !== false,
    };

    const returned = await processBatch(records, concurrency, (record) => runRecord(record, run));
    await delayReturned(returned, time);
    const error = batchError(returned, records.length, throwOnFullBatchFailure);
    if (error) throw error;
    return { batchItemFailures: returned.map(({ record }) => ({ itemIdentifier: record.messageId })) };
  };
}

function assertHandler(handler: unknown): void {
  if (typeof handler === 'function') return;
  throw new SagaboxError('Configuration', {
    setting: 'sqsBatch',
    problem: `the handler is a value of type ${typeof handler}`,
    remedy: 'Pass a function, such as what middy returns',
  });
}

/** A record that could not be told to SQS as failed would be lost, so such a batch is refused before any of it runs. */
function recordsOf(event: unknown): SQSRecord[] {
  const records = (event as { Records?: unknown } | null | undefined)?.Records;
  if (!Array.isArray(records) || records.length === 0) {
    throw new SagaboxError('InvalidEvent', { detail: 'The event holds no SQS records' });
  }
  if (records.some((record) => typeof record?.messageId !== 'string' || record.messageId === '')) {
    throw new SagaboxError('InvalidEvent', { detail: 'A record of the event has no message id' });
  }
  return records;
}
