import type { SQSRecord } from 'aws-lambda';
import { deduplicationIdOf } from '../core/envelope.ts';
import { isSagaboxError, SagaboxError } from '../core/errors.ts';
import { describeError, type FailureFacts } from '../core/failure-facts.ts';
import type { SagaIdentity } from '../core/keys.ts';
import type { IncomingMessage } from '../core/message.ts';
import { messageGroupIdOf, queueArnOf, receiveCountOf } from '../core/record-fields.ts';
import { fullJitterDelayMs } from '../core/retry-with-backoff.ts';
import type { ErrorQueue } from '../ports.ts';
import type { RecordOutcome } from './batch.ts';
import { type InvocationTime, NotStarted } from './invocation-time.ts';
import {
  assertAction,
  defaultPolicy,
  delayedRetrySeconds,
  isLastDelivery,
  type MessageFailure,
  notStartedRetrySeconds,
  type RecoverabilitySettings,
  type RecoveryAction,
  type RecoveryPolicy,
} from './recoverability.ts';
import type { RecoveryObserver } from './recovery-observer.ts';

/** What all records of an endpoint share in being recovered. */
export interface Recoverability extends RecoverabilitySettings {
  /** Nothing for the default one. */
  readonly policy: RecoveryPolicy | undefined;
  readonly errorQueue: ErrorQueue | undefined;
  readonly maxReceiveCount: number | undefined;
  readonly endpoint: string | undefined;
  /** The URL of the queue of a record, when it is known. */
  readonly queueUrlOf: (record: SQSRecord) => string | undefined;
  readonly observer: RecoveryObserver;
  readonly now: () => Date;
  readonly sleep: (durationMs: number) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** A record, and what one attempt at it does. */
export interface RecordAttempts {
  readonly record: SQSRecord;
  /** What the attempt has read the record as; nothing before, or when it could not. */
  readonly message: () => IncomingMessage | undefined;
  /** Likewise. */
  readonly saga: () => SagaIdentity | undefined;
  readonly attempt: () => Promise<void>;
}

/** Tries a record until it is handled, or the policy tells what becomes of it. */
export async function settleRecord(
  tried: RecordAttempts,
  recoverability: Recoverability,
  time: InvocationTime,
): Promise<RecordOutcome> {
  const { observer, immediateRetries, random, sleep } = recoverability;
  for (let attempts = 1; ; attempts += 1) {
    try {
      if (attempts === 1) time.assertTimeToStart(tried.record.messageId);
      await tried.attempt();
      return 'acknowledged';
    } catch (error) {
      const failure = failureOf(error, tried, attempts, recoverability);
      if (isSagaboxError(error) && error instanceof NotStarted)
        return await endUnstarted(failure, recoverability, time);
      const action = await decide(failure, recoverability, time);
      if (action.action === 'retryNow') {
        const delayMs = fullJitterDelayMs(attempts - 1, immediateRetries, random());
        if (time.mayStart(delayMs)) {
          await observer.retried(failure, delayMs, (call) => time.untilEnd(call));
          await sleep(delayMs);
          continue;
        }
      }
      return await end(failure, action, recoverability, time);
    }
  }
}

function failureOf(
  error: unknown,
  { record, message, saga }: RecordAttempts,
  attempts: number,
  { maxReceiveCount, errorQueue }: Recoverability,
): MessageFailure {
  return {
    error,
    code: isSagaboxError(error) ? error.code : undefined,
    message: message(),
    saga: saga(),
    record,
    attempts,
    receiveCount: receiveCountOf(record),
    maxReceiveCount,
    hasErrorQueue: errorQueue !== undefined,
  };
}

/** A policy that is wrong must not lose a message: then the default one decides, as it does when there is no answer in time. */
async function decide(
  failure: MessageFailure,
  recoverability: Recoverability,
  time: InvocationTime,
): Promise<RecoveryAction> {
  const { policy, observer, random } = recoverability;
  const byDefault = defaultPolicy(recoverability, random);
  if (policy === undefined) return byDefault(failure);
  try {
    const action: unknown = await time.untilEnd(async () => await policy(failure));
    assertAction(action);
    return action;
  } catch (error) {
    observer.policyFailed(failure, asConfigurationError(error));
    return byDefault(failure);
  }
}

function asConfigurationError(error: unknown): SagaboxError<'Configuration'> {
  if (isSagaboxError(error) && error.code === 'Configuration') {
    return error as SagaboxError<'Configuration'>;
  }
  const facts = {
    setting: 'recoverability.policy',
    problem: `it threw ${describeError(error).code}`,
    remedy: 'Let it return an action for every failure',
  };
  return new SagaboxError('Configuration', facts, { cause: error });
}

/** No policy is asked: nothing of the message has failed. */
async function endUnstarted(
  failure: MessageFailure,
  recoverability: Recoverability,
  time: InvocationTime,
): Promise<RecordOutcome> {
  const { observer, errorQueue, random } = recoverability;
  // Returned, it would go to the dead letter queue without ever having run.
  if (isLastDelivery(failure) && errorQueue && (await forward(failure, errorQueue, recoverability, time))) {
    return 'acknowledged';
  }
  const retryInSeconds = notStartedRetrySeconds(random());
  observer.notStarted(failure, retryInSeconds);
  return returned(failure, retryInSeconds);
}

async function end(
  failure: MessageFailure,
  action: RecoveryAction,
  recoverability: Recoverability,
  time: InvocationTime,
): Promise<RecordOutcome> {
  const { observer, errorQueue } = recoverability;
  if (action.action === 'ignore') {
    observer.ignored(failure);
    return 'acknowledged';
  }
  // A message that is returned for the last time goes to the dead letter queue, where nobody is told why.
  const forwards = action.action === 'errorQueue' || isLastDelivery(failure);
  if (forwards && errorQueue && (await forward(failure, errorQueue, recoverability, time)))
    return 'acknowledged';

  const retryInSeconds = retrySeconds(failure, action, recoverability);
  observer.returned(failure, retryInSeconds);
  return returned(failure, retryInSeconds);
}

function returned(failure: MessageFailure, retryInSeconds: number): RecordOutcome {
  return { retryInSeconds, ...(isLastDelivery(failure) && { leavesQueue: true }) };
}

function retrySeconds(
  { receiveCount }: MessageFailure,
  action: RecoveryAction,
  { delayedRetries, random }: Recoverability,
): number {
  if (action.action === 'retryIn') return action.seconds;
  return delayedRetrySeconds(receiveCount, delayedRetries, random());
}

/** @returns whether the error queue has the message */
async function forward(
  failure: MessageFailure,
  errorQueue: ErrorQueue,
  recoverability: Recoverability,
  time: InvocationTime,
): Promise<boolean> {
  const { error, record, message, receiveCount } = failure;
  const { endpoint, queueUrlOf, observer, now } = recoverability;
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
    await time.untilEnd(async (signal) => await errorQueue.forward(record, messageId, facts, signal));
  } catch (forwardError) {
    observer.forwardFailed(failure, forwardError);
    return false;
  }
  observer.forwarded(failure);
  return true;
}
