import type { SQSRecord } from 'aws-lambda';
import type { Attempt } from '../attempt/attempt.ts';
import { BatchPlace } from '../attempt/batch-place.ts';
import { Delivery } from '../attempt/delivery.ts';
import type { DeliveryOutcome, Returned } from '../attempt/delivery-outcome.ts';
import type { FifoPlace } from '../attempt/fifo-place.ts';
import { type InvocationDeadline, isNotStarted } from '../attempt/invocation-deadline.ts';
import type { SagaQueues } from '../attempt/saga-queue/saga-queue.ts';
import { backoffDelayMs } from '../kernel/async/retry-with-backoff.ts';
import { settled } from '../kernel/async/settle.ts';
import { isSagaboxError } from '../kernel/errors/errors.ts';
import type { IncomingMessage } from '../messages/message.ts';
import { receiveCountOf, usersRecord } from '../messages/record-fields.ts';
import type { MetricsRecorder } from '../observe/metrics/emf-metrics.ts';
import {
  type Decision,
  decide,
  type FailureRun,
  finish,
  leavesQueue,
} from '../recoverability/handle-failure.ts';
import type { MessageFailure } from '../recoverability/policy.ts';
import type { Tracing } from '../sending/tracing.ts';
import { AttemptState } from './attempt-state.ts';
import { commitIgnored } from './commit-ignored.ts';

/** The settings and state that the deliveries of one batch share. */
export interface BatchRun extends FailureRun {
  /** @throws SagaboxError for an SQS record that cannot be read */
  readonly read: (record: SQSRecord) => IncomingMessage;
  /** Runs one attempt: a definition's handler, or the users' middlewares with `sagaOutbox` among them. */
  readonly handle: (message: IncomingMessage, state: AttemptState, signal: AbortSignal) => unknown;
  readonly queues: SagaQueues;
  /** @default - each delivery has its own */
  readonly warned?: Delivery['warned'];
  /** @default - no spans are made */
  readonly tracing?: Tracing | undefined;
  /** @default - none are emitted */
  readonly metrics?: MetricsRecorder | undefined;
}

/**
 * Attempts one message until it is handled, or until the policy decides how its failure ends.
 *
 * @param order the place of the record in its FIFO group
 */
export async function runDelivery(
  sqsRecord: SQSRecord,
  run: BatchRun,
  order?: FifoPlace,
): Promise<DeliveryOutcome> {
  const { deadline, metrics, warned } = run;
  const batch = new BatchPlace(run.queues, deadline, order);
  const delivery = new Delivery({ deadline, batch, metrics, warned });
  let outcome: DeliveryOutcome | undefined;
  try {
    if (order) await order.untilStart(() => readable(sqsRecord, run.read)?.type);
    outcome = await attemptUntilEnd(sqsRecord, delivery, batch, run);
    return outcome;
  } finally {
    delivery.end(outcome);
  }
}

/**
 * Repeats attempts. One that ended on what other messages did (`again`) is repeated uncounted. For any other
 * failure the policy decides: a retry after a delay, or the end. A message about to leave its queue is looked up
 * once more: if it is committed, one further attempt finds the duplicate.
 */
async function attemptUntilEnd(
  sqsRecord: SQSRecord,
  delivery: Delivery,
  batch: BatchPlace,
  run: BatchRun,
): Promise<DeliveryOutcome> {
  const { deadline, failureHandling } = run;
  const { log, immediateRetries, random, sleep, now } = failureHandling;
  let begun: Attempt | undefined;
  let isLookedUpAgain = false;
  for (let attempts = 1, uncounted = 0; ; attempts += 1) {
    const startedAt = now();
    const { waitedMs } = batch;
    const state = new AttemptState(delivery);
    try {
      if (attempts === 1) deadline.assertTimeToStart(sqsRecord.messageId);
      const isFirst = attempts === 1 && receiveCountOf(sqsRecord) === 1;
      delivery.beginAttempt(isFirst, spanOf(sqsRecord, run));
      await attempt(sqsRecord, state, batch, run);
      delivery.span?.end();
      return 'acknowledged';
    } catch (thrown) {
      const again = await batch.attemptFailed(thrown, sqsRecord.messageId, delivery.result);
      delivery.span?.end(again || isNotStarted(thrown) ? undefined : { error: thrown });
      if (batch.isStopped) return stopped;
      const costMs = now().getTime() - startedAt.getTime() - (batch.waitedMs - waitedMs);
      begun = state.attempt ?? begun;
      if (again && deadline.mayStart(0, costMs)) {
        uncounted += 1;
        continue;
      }
      const { result } = delivery;
      if (!again) await result.reportFailure?.();
      const error = again ? deadline.notStarted(sqsRecord.messageId) : thrown;
      const failure = failureOf(error, sqsRecord, batch, attempts - uncounted, run);
      const ignored = begun;
      const ignore = ignored && (() => commitIgnored(ignored));
      const decision = await decide(failure, ignore, run);
      if (decision.action.action === 'retryNow') {
        const delayMs = backoffDelayMs(failure.attempts - 1, immediateRetries, result.backoff(random));
        if (deadline.mayStart(delayMs, costMs)) {
          await log.retried(failure, delayMs, delivery);
          // The observer may have used up the time.
          if (deadline.mayStart(delayMs, costMs)) {
            await sleep(delayMs);
            continue;
          }
        }
      }
      const lookUpAgain = isLookedUpAgain ? undefined : begun;
      const outcome = await endUnlessCommitted(failure, decision, run, lookUpAgain);
      if (outcome) return outcome;
      isLookedUpAgain = true;
      uncounted += 1;
    }
  }
}

/** The outcome of a message that is returned with, and at the same time as, one ahead in its FIFO group. */
const stopped: Returned = { retryInSeconds: undefined };

/**
 * Ends a delivery as it was decided. The dedup check may be older than the state that the handler got: if
 * another delivery has committed the message meanwhile, it failed on the effect of its own message.
 *
 * @param begun the attempt whose message is looked up once more before it leaves its queue
 * @returns undefined if the message was committed meanwhile: a further attempt finds that it is a duplicate
 */
async function endUnlessCommitted(
  failure: MessageFailure,
  decision: Decision,
  run: BatchRun,
  begun: Attempt | undefined,
): Promise<DeliveryOutcome | undefined> {
  const { deadline } = run;
  const isToLookUp = begun && deadline.mayStart() && leavesQueue(failure, decision);
  if (isToLookUp && (await isCommitted(begun, deadline)) && deadline.mayStart()) return undefined;
  return await finish(failure, decision, run);
}

/** Whether a record of the message is found in time. With an embedded outbox, state and check are one read. */
async function isCommitted(begun: Attempt, deadline: InvocationDeadline): Promise<boolean> {
  const { flow, received, meter } = begun;
  if (!flow.outbox.isKept || flow.outbox.isInSagaItem) return false;
  const found = await settled(deadline.untilGiveUp(() => flow.ports.outbox.find(received.id, meter)));
  return found.status === 'fulfilled' && found.value !== undefined;
}

function attempt(
  sqsRecord: SQSRecord,
  state: AttemptState,
  batch: BatchPlace,
  { read, handle, deadline }: BatchRun,
): Promise<void> {
  const { delivery } = state;
  // A copy for each attempt: changes by users' code reach neither the flow nor the next attempt.
  const message = read(usersRecord(sqsRecord));
  const running = async (signal: AbortSignal) => {
    try {
      const copies = batch.waitForCopies(message.id, signal);
      if (copies !== undefined) await copies;
      await handle(message, state, signal);
    } catch (error) {
      // Another middleware's `onError` may have kept ours from being called.
      await state.fail(error);
      throw error;
    }
    if (!state.mayBeAcknowledged) await state.assertSucceeded(message.id);
  };
  const fail = (error: Error) => state.fail(error);
  const { span } = delivery;
  return span
    ? span.run(() => deadline.limit(message.id, running, fail))
    : deadline.limit(message.id, running, fail);
}

function spanOf(sqsRecord: SQSRecord, { read, tracing, failureHandling: { endpoint } }: BatchRun) {
  return tracing?.startMessage(sqsRecord, readable(sqsRecord, read), endpoint);
}

function failureOf(
  error: unknown,
  sqsRecord: SQSRecord,
  { saga }: BatchPlace,
  attempts: number,
  { failureHandling: { maxReceiveCount, errorQueue }, read }: BatchRun,
): MessageFailure {
  return {
    error,
    code: isSagaboxError(error) ? error.code : undefined,
    message: readable(sqsRecord, read),
    saga,
    record: sqsRecord,
    attempts,
    receiveCount: receiveCountOf(sqsRecord),
    maxReceiveCount,
    hasErrorQueue: errorQueue !== undefined,
  };
}

/** Reads the message anew, as the handler may have changed its copy; `undefined` if it cannot be read. */
function readable(sqsRecord: SQSRecord, read: BatchRun['read']): IncomingMessage | undefined {
  try {
    return read(usersRecord(sqsRecord));
  } catch {
    // An unreadable record may be the failure itself, which `error` tells.
    return undefined;
  }
}
