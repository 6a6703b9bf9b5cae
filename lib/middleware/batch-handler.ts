import type { Context as LambdaContext, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { SagaboxError } from '../core/failures/errors.ts';
import { type EnvelopeOptions, readEnvelope } from '../core/incoming/envelope.ts';
import { batchError, processBatch } from '../flow/batch/batch.ts';
import { InvocationTime, type StartTimer } from '../flow/batch/invocation-time.ts';
import { type BatchRun, runRecord } from '../flow/batch/run-record.ts';
import { SagaTurns } from '../flow/batch/saga-turns.ts';
import type { RecoverabilitySettings } from '../flow/recoverability/recoverability.ts';
import { attemptStateOf } from './attempt-context.ts';
import type { BatchRecoverability } from './configure-recoverability.ts';
import { defaults } from './defaults.ts';
import type { SqsBatchOptions } from './options.ts';
import { recoverabilitySettings, timeMargins } from './recoverability-settings.ts';
import { wholeNumber } from './settings.ts';
import { startSystemTimer } from './system-timer.ts';

/** Handles one message; a middy handler is one. */
export type MessageHandler = (message: never, context: never) => unknown;

export type SqsBatchHandler = (event: unknown, context?: LambdaContext) => Promise<SQSBatchResponse>;

type BatchOptions = EnvelopeOptions &
  Pick<
    SqsBatchOptions,
    'concurrency' | 'outbox' | 'recoverability' | 'throwOnFullBatchFailure' | 'timeMargins'
  >;

/** What a batch handler stands on. */
export interface BatchParts {
  /**
   * Called with the first batch, not when the module loads: a test may load it where no queue is configured.
   */
  readonly configure: (settings: RecoverabilitySettings) => BatchRecoverability;
  /** @default - timers of the process */
  readonly startTimer?: StartTimer;
  /** @default - each batch has its own */
  readonly turns?: SagaTurns;
}

/** `sqsBatch` on any queues, and on any clock. */
export function batchHandler(
  handleMessage: MessageHandler,
  options: BatchOptions,
  { configure, startTimer = startSystemTimer, turns }: BatchParts,
): SqsBatchHandler {
  assertHandler(handleMessage);
  const concurrency = wholeNumber('concurrency', options.concurrency ?? defaults.concurrency, 1);
  const { throwOnFullBatchFailure = defaults.throwOnFullBatchFailure } = options;
  const settings = recoverabilitySettings(options);
  const margins = timeMargins(options);
  const handle = handleMessage as (message: unknown, context: unknown) => unknown;
  let configured: BatchRecoverability | undefined;

  return async (event, context) => {
    const records = recordsOf(event);
    configured ??= configure(settings);
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
      turns: turns ?? new SagaTurns(),
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

/**
 * A record without an id could not be returned to SQS and would be lost: such a batch is refused as a whole.
 */
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
