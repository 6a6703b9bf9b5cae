import type { SQSRecord } from 'aws-lambda';
import type { DeliveryOutcome } from '../attempt/delivery-outcome.ts';
import { type InvocationDeadline, isNotStarted } from '../attempt/invocation-deadline.ts';
import { toSeconds } from '../kernel/duration.ts';
import { isConflict } from '../kernel/errors/conflict.ts';
import { isSagaboxError, SagaboxError } from '../kernel/errors/errors.ts';
import { limits } from '../kernel/limits.ts';
import { deduplicationIdOf } from '../messages/envelope.ts';
import { describeError, type FailureFacts, failureCode } from '../messages/failures/failure-facts.ts';
import { copyOf } from '../messages/message.ts';
import { messageGroupIdOf, queueArnOf, usersRecord } from '../messages/record-fields.ts';
import type { ErrorQueue } from './error-queue.ts';
import type { FailureLog } from './failure-log.ts';
import {
  assertAction,
  defaultPolicy,
  delayedRetrySeconds,
  type FailureAction,
  isLastDelivery,
  isNotConfigured,
  type MessageFailure,
  type RecoverabilityPolicy,
  type RetrySettings,
} from './policy.ts';

/** The settings and ports that handle the failures of an endpoint. */
export interface FailureHandling extends RetrySettings {
  /** The user's policy; `undefined` for the default policy. */
  readonly policy: RecoverabilityPolicy | undefined;
  readonly errorQueue: ErrorQueue | undefined;
  readonly maxReceiveCount: number | undefined;
  readonly endpoint: string | undefined;
  /** The URL of the queue that an SQS record came from, if it is known. */
  readonly queueUrlOf: (record: SQSRecord) => string | undefined;
  /** Whether the queue of a record is told when to deliver it again; else its visibility timeout decides. */
  readonly setsDelayOf: (record: SQSRecord) => boolean;
  readonly log: Omit<FailureLog, 'visibilityFailed'>;
  readonly now: () => Date;
  readonly sleep: (durationMs: number) => Promise<void>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
}

/** The settings that the failures of one batch share. */
export interface FailureRun {
  readonly failureHandling: FailureHandling;
  readonly deadline: InvocationDeadline;
  /** Whether `sagaOutbox` keeps an outbox record of each message. */
  readonly outbox: boolean;
}

/**
 * Commits an empty outbox record of the message.
 *
 * @throws SagaboxError `DuplicateMessage` if the message has one
 */
type CommitIgnored = () => Promise<void>;

/** The action for a failure, and whether the user's policy returned it. */
export interface Decision {
  readonly action: FailureAction;
  readonly isFromPolicy: boolean;
}

/**
 * Asks the policy how to handle a failure. If the policy throws, answers too late or returns no action, the
 * default policy decides: no message is lost.
 *
 * @param ignore undefined if no attempt has begun
 */
export async function decide(
  failure: MessageFailure,
  ignore: CommitIgnored | undefined,
  run: FailureRun,
): Promise<Decision> {
  const { failureHandling, deadline } = run;
  const { policy, log, random } = failureHandling;
  const byDefault = () => ({ action: defaultPolicy(failureHandling, random)(failure), isFromPolicy: false });
  const { error, message, record } = failure;
  // The message itself has not failed.
  if (policy === undefined || isNotStarted(error) || isNotConfigured(error)) return byDefault();
  const given = { ...failure, record: usersRecord(record), message: message && copyOf(message) };
  try {
    const action: unknown = await deadline.untilEnd(async () => await policy(given));
    assertAction(action);
    if (action.action === 'byDefault') return byDefault();
    if (action.action === 'ignore') await storeIgnored(failure, ignore, run);
    return { action, isFromPolicy: true };
  } catch (policyError) {
    log.policyFailed(failure, asConfigurationError(policyError));
    return byDefault();
  }
}

/**
 * Stores an ignored message: it is acknowledged, and every acknowledgement is a commit.
 *
 * @throws SagaboxError `Configuration` if the message is or may be committed, as no later delivery would send
 *   what its outbox record holds; or if it cannot be stored
 */
async function storeIgnored(
  { message, code }: MessageFailure,
  ignore: CommitIgnored | undefined,
  { deadline, outbox }: FailureRun,
): Promise<void> {
  // The stored outbox record belongs to another message with this id.
  if (code === 'MessageIdReused') return;
  if (ignore === undefined && outbox && message !== undefined)
    throw wrongPolicy(
      'it ignores a message that failed before sagaOutbox, which may be committed',
      'Leave failures of other middlewares to a retry, or give sqsBatch outbox: false when its handler has none',
    );
  try {
    await deadline.untilEnd(async () => await ignore?.());
  } catch (error) {
    const cause = failureCode(error);
    throw wrongPolicy(
      cause === 'DuplicateMessage'
        ? 'it ignores a message that is committed'
        : `that it ignores the message could not be stored: ${cause}`,
      'Ignore failures of the handler only, such as errors of your own',
      error,
    );
  }
}

function asConfigurationError(error: unknown): SagaboxError {
  if (isSagaboxError(error) && error.code === 'Configuration') return error;
  const problem = `it threw ${failureCode(error)}`;
  return wrongPolicy(problem, 'Let it return an action for every failure', error);
}

function wrongPolicy(problem: string, remedy: string, cause?: unknown): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', { setting: 'recoverability.policy', problem, remedy }, { cause });
}

/** Whether a failed message does not come back to its queue: it goes to the error queue, if there is one. */
export function leavesQueue(failure: MessageFailure, { action }: Pick<Decision, 'action'>): boolean {
  if (action.action === 'ignore') return false;
  // A message that is returned for the last time goes to the dead letter queue, which does not tell why.
  return action.action === 'errorQueue' || (isLastDelivery(failure) && !isNotConfigured(failure.error));
}

/** Ends a delivery by the decided action. */
export async function finish(
  failure: MessageFailure,
  { action, isFromPolicy }: Decision,
  { failureHandling, deadline }: FailureRun,
): Promise<DeliveryOutcome> {
  const { log, delayedRetries, random, setsDelayOf } = failureHandling;
  const { error, receiveCount, record } = failure;
  if (action.action === 'ignore') {
    log.ignored(failure);
    return 'acknowledged';
  }
  if (leavesQueue(failure, { action }) && (await forward(failure, failureHandling, deadline)))
    return 'acknowledged';

  const isWait = action.action === 'retryIn';
  const delaySeconds = isWait
    ? toSeconds(action.delay)
    : delayedRetrySeconds(receiveCount, delayedRetries, random());
  const retryInSeconds = Math.min(delaySeconds, limits.visibilitySeconds);
  log.returned(failure, setsDelayOf(record) ? retryInSeconds : undefined);
  const countsAsFailure = !(isFromPolicy && isWait) && !isNotStarted(error) && !isConflict(error);
  return {
    retryInSeconds,
    ...(isLastDelivery(failure) && { leavesQueue: true }),
    ...(countsAsFailure && { failure: error }),
  };
}

/**
 * Sends a failed message to the error queue, if there is one. An abandoned forward may still arrive: the
 * message then exists twice.
 *
 * @returns whether the error queue has the message
 */
async function forward(
  failure: MessageFailure,
  { endpoint, errorQueue, queueUrlOf, log, now }: FailureHandling,
  deadline: InvocationDeadline,
): Promise<boolean> {
  const { error, record, message, receiveCount } = failure;
  if (errorQueue === undefined) return false;
  const messageGroupId = messageGroupIdOf(record);
  const messageId = message?.id ?? deduplicationIdOf(record);
  const facts: FailureFacts = {
    ...(endpoint === undefined ? {} : { endpoint }),
    queue: queueUrlOf(record) ?? queueArnOf(record) ?? '',
    failedAt: now().toISOString(),
    ...describeError(error),
    receiveCount,
    ...(messageGroupId === undefined ? {} : { messageGroupId }),
  };
  try {
    await deadline.untilEnd(async (signal) => await errorQueue.forward(record, messageId, facts, signal));
  } catch (forwardError) {
    log.forwardFailed(failure, forwardError);
    return false;
  }
  log.forwarded(failure);
  return true;
}
