import type { SQSRecord } from 'aws-lambda';
import { fullJitterDelayMs } from '../../core/async/retry-with-backoff.ts';
import { toSeconds } from '../../core/duration.ts';
import { isSagaboxError, SagaboxError } from '../../core/failures/errors.ts';
import { describeError } from '../../core/failures/failure-facts.ts';
import { copyOf, type IncomingMessage } from '../../core/incoming/message.ts';
import { receiveCountOf, usersRecord } from '../../core/incoming/record-fields.ts';
import { forward } from '../recoverability/forward.ts';
import {
  assertAction,
  defaultPolicy,
  delayedRetrySeconds,
  isConflict,
  isLastDelivery,
  type MessageFailure,
  notStartedRetrySeconds,
  type Recoverability,
  type RecoverabilityAction,
  recoverability,
} from '../recoverability/recoverability.ts';
import { AttemptState } from './attempt-state.ts';
import type { RecordOutcome } from './batch.ts';
import { Delivery } from './delivery.ts';
import { type InvocationTime, isNotStarted } from './invocation-time.ts';
import { isNotConfigured } from './not-configured.ts';
import type { SagaTurns } from './saga-turns.ts';

/** What the records of one batch share. */
export interface BatchRun {
  /** @throws SagaboxError for a record that cannot be read */
  readonly read: (record: SQSRecord) => IncomingMessage;
  /** One attempt: the users' middlewares and handler, with `sagaOutbox` among them. */
  readonly handle: (message: IncomingMessage, state: AttemptState, signal: AbortSignal) => Promise<unknown>;
  readonly recoverability: Recoverability;
  readonly time: InvocationTime;
  readonly turns: SagaTurns;
  /** Whether `sagaOutbox` keeps a record of each message. */
  readonly outbox: boolean;
}

/**
 * Runs one record to its end: attempts it until it is handled, or until the policy decides how its failure
 * ends.
 */
export async function runRecord(record: SQSRecord, run: BatchRun): Promise<RecordOutcome> {
  const { time, turns } = run;
  const { observer, immediateRetries, random, sleep, now } = run.recoverability;
  const delivery = new Delivery(turns, time);
  try {
    for (let attempts = 1; ; attempts += 1) {
      const startedAt = now();
      delivery.waitedMs = 0;
      try {
        if (attempts === 1) time.assertTimeToStart(record.messageId);
        await attempt(record, delivery, run);
        return 'acknowledged';
      } catch (error) {
        const failure = failureOf(error, record, delivery, attempts, run);
        const decision = await decide(failure, delivery, run);
        if (decision.action.action === 'retryNow') {
          const delayMs = fullJitterDelayMs(attempts - 1, immediateRetries, random());
          const costMs = now().getTime() - startedAt.getTime() - delivery.waitedMs;
          if (time.mayStart(delayMs, costMs)) {
            await observer.retried(failure, delayMs, time);
            // The observer may have used up the time.
            if (time.mayStart(delayMs, costMs)) {
              await sleep(delayMs);
              continue;
            }
          }
        }
        return await end(failure, decision, run);
      }
    }
  } finally {
    delivery.end();
  }
}

async function attempt(
  record: SQSRecord,
  delivery: Delivery,
  { read, handle, time }: BatchRun,
): Promise<void> {
  // A copy for each attempt: what users' code does to it reaches neither the flow nor the next attempt.
  const message = read(usersRecord(record));
  const state = new AttemptState(delivery);
  const running = async (signal: AbortSignal) => {
    try {
      await handle(message, state, signal);
    } catch (error) {
      // Another middleware's `onError` may have kept ours from being called.
      await state.end(error);
      throw error;
    }
    await state.assertComplete();
  };
  await time.limit(message.id, running, (error) => state.end(error));
}

function failureOf(
  error: unknown,
  record: SQSRecord,
  { saga }: Delivery,
  attempts: number,
  { recoverability: { maxReceiveCount, errorQueue }, read }: BatchRun,
): MessageFailure {
  return {
    error,
    code: isSagaboxError(error) ? error.code : undefined,
    message: readable(record, read),
    saga,
    record,
    attempts,
    receiveCount: receiveCountOf(record),
    maxReceiveCount,
    hasErrorQueue: errorQueue !== undefined,
  };
}

/** Read anew: the handler may have changed what it got. */
function readable(record: SQSRecord, read: BatchRun['read']): IncomingMessage | undefined {
  try {
    return read(usersRecord(record));
  } catch {
    return undefined;
  }
}

/** How a failure is to end, and whether the users' policy says so. */
interface Decision {
  readonly action: RecoverabilityAction;
  readonly isFromPolicy: boolean;
}

/**
 * If the policy throws, answers too late or returns no action, the default policy decides: no message is
 * lost.
 */
async function decide(failure: MessageFailure, delivery: Delivery, run: BatchRun): Promise<Decision> {
  const { recoverability: settings, time } = run;
  const { policy, observer, delayedRetries, random } = settings;
  const byDefault = (action: RecoverabilityAction) => ({ action, isFromPolicy: false });
  const { error, receiveCount, message, record } = failure;
  // No policy is asked: nothing of the message has failed.
  if (isNotStarted(error))
    return byDefault(recoverability.retryIn({ seconds: notStartedRetrySeconds(random()) }));
  if (isNotConfigured(error))
    return byDefault(
      recoverability.retryIn({ seconds: delayedRetrySeconds(receiveCount, delayedRetries, random()) }),
    );
  const usual = defaultPolicy(settings, random);
  if (policy === undefined) return byDefault(usual(failure));
  const given = { ...failure, record: usersRecord(record), message: message && copyOf(message) };
  try {
    const action: unknown = await time.untilEnd(async () => await policy(given));
    assertAction(action);
    if (action.action === 'ignore') await storeIgnored(failure, delivery, run);
    return { action, isFromPolicy: true };
  } catch (policyError) {
    observer.policyFailed(failure, asConfigurationError(policyError));
    return byDefault(usual(failure));
  }
}

/**
 * An ignored message is acknowledged, and that is a commit too.
 *
 * @throws SagaboxError `Configuration` when the message is committed: acknowledged, nobody would send what
 *   its record holds
 */
async function storeIgnored(
  { message, code }: MessageFailure,
  { ignore }: Delivery,
  { time, outbox }: BatchRun,
): Promise<void> {
  // The stored record belongs to another message with this id.
  if (code === 'MessageIdReused') return;
  if (ignore === undefined && outbox && message !== undefined)
    throw wrongPolicy(
      'it ignores a message that failed before sagaOutbox, which may be committed',
      'Leave failures of other middlewares to a retry, or give sqsBatch outbox: false when its handler has none',
    );
  try {
    await time.untilEnd(async () => await ignore?.());
  } catch (error) {
    const { code: cause } = describeError(error);
    const isCommitted = cause === 'DuplicateMessage';
    throw wrongPolicy(
      isCommitted
        ? 'it ignores a message that is committed'
        : `that it ignores the message could not be stored: ${cause}`,
      'Ignore failures of the handler only, such as errors of your own',
      error,
    );
  }
}

function asConfigurationError(error: unknown): SagaboxError<'Configuration'> {
  if (isSagaboxError(error) && error.code === 'Configuration') return error as SagaboxError<'Configuration'>;
  const problem = `it threw ${describeError(error).code}`;
  return wrongPolicy(problem, 'Let it return an action for every failure', error);
}

function wrongPolicy(problem: string, remedy: string, cause?: unknown): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', { setting: 'recoverability.policy', problem, remedy }, { cause });
}

async function end(
  failure: MessageFailure,
  { action, isFromPolicy }: Decision,
  { recoverability: settings, time }: BatchRun,
): Promise<RecordOutcome> {
  const { observer, delayedRetries, random } = settings;
  const { error, receiveCount } = failure;
  if (action.action === 'ignore') {
    observer.ignored(failure);
    return 'acknowledged';
  }
  // A message that is returned for the last time goes to the dead letter queue, where nobody is told why.
  const isLast = isLastDelivery(failure);
  const forwards = action.action === 'errorQueue' || (isLast && !isNotConfigured(error));
  if (forwards && (await forward(failure, settings, time))) return 'acknowledged';

  const isWait = action.action === 'retryIn';
  const retryInSeconds = isWait
    ? toSeconds(action.delay)
    : delayedRetrySeconds(receiveCount, delayedRetries, random());
  observer.returned(failure, retryInSeconds);
  const countsAsFailure = !(isFromPolicy && isWait) && !isNotStarted(error) && !isConflict(error);
  return { retryInSeconds, ...(isLast && { leavesQueue: true }), ...(countsAsFailure && { failure: error }) };
}
