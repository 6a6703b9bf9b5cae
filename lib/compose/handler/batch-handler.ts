import type { Context as LambdaContext, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { InvocationDeadline, type StartTimer } from '../../attempt/invocation-deadline.ts';
import { SagaQueues } from '../../attempt/saga-queue/saga-queue.ts';
import { MAX_TIMER_MS } from '../../kernel/async/max-timer.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { type EnvelopeOptions, readEnvelope } from '../../messages/envelope.ts';
import type { IncomingMessage } from '../../messages/message.ts';
import type { AttemptState } from '../../pipeline/attempt-state.ts';
import { batchError, processBatch, type ReturnedMessage } from '../../pipeline/batch.ts';
import { type BatchRun, runDelivery } from '../../pipeline/run-delivery.ts';
import type { FailureHandling } from '../../recoverability/handle-failure.ts';
import type { RetrySettings } from '../../recoverability/policy.ts';
import { defaults } from '../defaults.ts';
import { untilLinesWritten } from '../invocation.ts';
import type { InvocationMetrics } from '../metrics/emitted-metrics.ts';
import type { SqsBatchOptions } from '../options.ts';
import { type RemainingMs, remainingTime } from '../remaining-time.ts';
import { retrySettings, timeMargins, wholeNumber } from '../settings.ts';
import { startSystemTimer } from '../system-clock.ts';

/** Handles one message, as a middy handler does. */
export type MessageHandler = (message: never, context: never) => unknown;

/** Handles one attempt at a message. @param ofInvocation a Lambda context, of which each attempt gets a copy */
export type AttemptHandler = (
  message: IncomingMessage,
  state: AttemptState,
  signal: AbortSignal,
  ofInvocation: Partial<LambdaContext> | undefined,
) => unknown;

export type SqsBatchHandler = (event: unknown, context?: LambdaContext) => Promise<SQSBatchResponse>;

type BatchOptions = EnvelopeOptions &
  Pick<
    SqsBatchOptions,
    'concurrency' | 'outbox' | 'recoverability' | 'throwOnFullBatchFailure' | 'timeMargins' | 'tracing'
  >;

export interface BatchFailureHandling extends FailureHandling {
  /** Begins the metrics of an invocation; undefined if sagabox emits none by itself. */
  readonly startMetrics?: (() => InvocationMetrics) | undefined;
  /** Sets when returned messages are delivered again. Never throws. */
  readonly delayReturned: (
    returned: readonly ReturnedMessage[],
    deadline: InvocationDeadline,
  ) => Promise<void>;
}

/** The dependencies of a batch handler. */
export interface BatchParts {
  /**
   * Called with the first batch, not when the module loads: a test may load it where no queue is configured.
   */
  readonly configure: (retries: RetrySettings) => BatchFailureHandling;
  /** Called before `configure`. @default - there is nothing to load */
  readonly loadSettings?: (remainingMs: RemainingMs) => Promise<void>;
  /** @default - timers of the process */
  readonly startTimer?: StartTimer;
  /** @default - each batch has its own */
  readonly queues?: SagaQueues;
}

/** Makes the handler of `sqsBatch`, on any queues and any clock. */
export function batchHandler(
  handle: AttemptHandler,
  options: BatchOptions,
  { configure, loadSettings = async () => {}, startTimer = startSystemTimer, queues }: BatchParts,
): SqsBatchHandler {
  const concurrency = wholeNumber('concurrency', options.concurrency ?? defaults.concurrency, 1);
  const { throwOnFullBatchFailure = defaults.throwOnFullBatchFailure } = options;
  const retries = retrySettings(options);
  const margins = timeMargins(options);
  let configured: BatchFailureHandling | undefined;
  const configureOnce = async (remainingMs: RemainingMs) => {
    // If it fails, each message fails and reports it, too; until it succeeds, the known settings must do.
    const isLoaded = await loadSettings(remainingMs).then(
      () => true,
      () => false,
    );
    const failureHandling = configure(retries);
    if (isLoaded) configured = failureHandling;
    return failureHandling;
  };

  return async function handleBatch(event, context) {
    const records = recordsOf(event);
    const remainingMs = remainingTime(context);
    const failureHandling = configured ?? (await configureOnce(remainingMs));
    const deadline = new InvocationDeadline(remainingMs, margins, startTimer);
    const ofInvocation = withTimerLimit(context);
    const metrics = failureHandling.startMetrics?.();
    const run: BatchRun = {
      read: (record) => readEnvelope(record, options),
      handle: (message, state, signal) => handle(message, state, signal, ofInvocation),
      failureHandling,
      deadline,
      queues: queues ?? new SagaQueues(),
      outbox: options.outbox !== false,
      warned: new Set(),
      metrics,
      tracing: options.tracing,
    };

    const returned = await processBatch(records, concurrency, (record, order) =>
      runDelivery(record, run, order),
    );
    await failureHandling.delayReturned(returned, deadline);
    metrics?.emit();
    await untilLinesWritten(deadline);
    await options.tracing?.flush(remainingMs() / 2);
    const error = batchError(returned, records.length, throwOnFullBatchFailure);
    if (error) throw error;
    return { batchItemFailures: returned.map(({ record }) => ({ itemIdentifier: record.messageId })) };
  };
}

/** Limits the remaining time: Middy sets a timer to it, and some local runtimes return years. */
function withTimerLimit(context: LambdaContext | undefined): Partial<LambdaContext> | undefined {
  if (context?.getRemainingTimeInMillis === undefined) return context;
  const remainingMs = remainingTime(context);
  return { ...context, getRemainingTimeInMillis: () => Math.min(remainingMs(), MAX_TIMER_MS) };
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
