import type { SQSRecord } from 'aws-lambda';
import { type Backoff, fullJitterDelayMs } from '../../core/async/retry-with-backoff.ts';
import { type Duration, durationProblem, toSeconds } from '../../core/duration.ts';
import { type ErrorCode, isRetryable, isSagaboxError, SagaboxError } from '../../core/failures/errors.ts';
import type { IncomingMessage } from '../../core/incoming/message.ts';
import type { SagaIdentity } from '../../core/storage/keys.ts';
import { isNotStarted } from '../batch/invocation-deadline.ts';

/** One failed attempt at one message. */
export interface MessageFailure {
  readonly error: unknown;
  /** Of a `SagaboxError`. */
  readonly code: ErrorCode | undefined;
  /** Undefined if the SQS record could not be read as a message. */
  readonly message: IncomingMessage | undefined;
  /** Undefined if the message belongs to none, or failed before that was known. */
  readonly saga: SagaIdentity | undefined;
  readonly record: SQSRecord;
  /** Attempts in this invocation, this one included. */
  readonly attempts: number;
  /** How often SQS delivered the message, this delivery included. */
  readonly receiveCount: number;
  /** After how many deliveries SQS moves the message to the dead letter queue; undefined if not known. */
  readonly maxReceiveCount: number | undefined;
  readonly hasErrorQueue: boolean;
}

/** How sagabox handles a failed message. */
export type FailureAction =
  /** Retry it within this invocation while there is time; then as `retryIn`, with the default delay. */
  | { readonly action: 'retryNow' }
  /** Return it to its queue, for SQS to deliver again after the delay: up to 12 hours. */
  | { readonly action: 'retryIn'; readonly delay: Duration }
  /** Send it to the error queue, with what went wrong. */
  | { readonly action: 'errorQueue' }
  /** Acknowledge it, and store an empty outbox record; refused for a message that is committed. */
  | { readonly action: 'ignore' };

/** What a policy of your own returns. */
export type RecoverabilityAction =
  | FailureAction
  /** As the default policy decides. */
  | { readonly action: 'byDefault' };

export type RecoverabilityPolicy = (
  failure: MessageFailure,
) => RecoverabilityAction | Promise<RecoverabilityAction>;

export interface DelayedRetries {
  baseDelaySeconds: number;
  maxDelaySeconds: number;
}

export interface RetrySettings {
  /** Attempts within one invocation. */
  readonly immediateRetries: Backoff;
  readonly delayedRetries: DelayedRetries;
}

/** The longest visibility timeout. Source: "Amazon SQS visibility timeout". */
export const MAX_RETRY_SECONDS = 43_200;

/** Whether no later attempt at the same message can succeed. */
export const isUnrecoverable = hasCode(
  'InvalidMessage',
  'UnknownMessageType',
  'CorrelationMissing',
  'CorrelationRounded',
  'MessageIdReused',
  'ReplyNotAwaited',
  'ScatterGatherRunning',
  'ProcessRunning',
  'CompensationFailed',
  'Unrecoverable',
);

/** Whether others at work on the same saga or message were in the way. */
export const isConflict = hasCode(
  'SagaConcurrency',
  'TransactionConflict',
  'DuplicateMessage',
  'LockTimeout',
);

function hasCode(...codes: readonly ErrorCode[]): (error: unknown) => boolean {
  return (error) => isSagaboxError(error) && codes.includes(error.code);
}

/** A setting in the environment is missing or wrong: no message of the function can be handled. */
export class NotConfigured extends SagaboxError<'Configuration'> {
  static override readonly name: string = SagaboxError.name;
}

export function isNotConfigured(error: unknown): error is NotConfigured {
  return isSagaboxError(error) && error instanceof NotConfigured;
}

/** Whether SQS would move the message to the dead letter queue rather than deliver it once more. */
export function isLastDelivery({ receiveCount, maxReceiveCount }: MessageFailure): boolean {
  return maxReceiveCount !== undefined && receiveCount >= maxReceiveCount;
}

/**
 * Unrecoverable messages go to the error queue, if there is one. Retryable failures are retried immediately,
 * a few times. All others are delivered again, after a delay that grows with each delivery.
 */
export function defaultPolicy(
  settings: RetrySettings,
  random: () => number,
): (failure: MessageFailure) => FailureAction {
  return ({ error, attempts, receiveCount, hasErrorQueue }) => {
    // 1 to 5 s: delivered again at once, it would use up its receive count behind slow messages.
    if (isNotStarted(error)) return recoverability.retryIn({ seconds: 1 + Math.floor(5 * random()) });
    if (isUnrecoverable(error) && hasErrorQueue) return recoverability.errorQueue;
    const { maxRetries } = settings.immediateRetries;
    if (isRetryable(error) && attempts <= maxRetries) return recoverability.retryNow;
    const seconds = delayedRetrySeconds(receiveCount, settings.delayedRetries, random());
    return recoverability.retryIn({ seconds });
  };
}

/**
 * Full jitter, over a bound that doubles with each delivery; at least a second, unless there is to be no
 * delay at all.
 */
export function delayedRetrySeconds(receiveCount: number, delays: DelayedRetries, random: number): number {
  const bounds = { baseDelayMs: delays.baseDelaySeconds, maxDelayMs: delays.maxDelaySeconds };
  const seconds = Math.round(fullJitterDelayMs(receiveCount - 1, bounds, random));
  return Math.max(Math.min(1, delays.baseDelaySeconds, delays.maxDelaySeconds), seconds);
}

/** @throws SagaboxError `Configuration` for an action that is none */
export function assertAction(action: unknown): asserts action is RecoverabilityAction {
  const { action: name, delay } = (action ?? {}) as { action?: unknown; delay?: Duration };
  const isAction = name !== 'retryIn' && Object.hasOwn(recoverability, String(name));
  const seconds = name === 'retryIn' ? toSeconds(delay as Duration) : Number.NaN;
  const isDelay = seconds >= 0 && seconds <= MAX_RETRY_SECONDS;
  if (isAction || isDelay) return;
  throw new SagaboxError('Configuration', {
    setting: 'recoverability.policy',
    problem: `it returned ${name === 'retryIn' ? withDelay(delay, seconds) : 'no action'}`,
    remedy: `Return recoverability.retryNow, recoverability.retryIn(delay) with up to ${MAX_RETRY_SECONDS} seconds, recoverability.errorQueue, recoverability.ignore or recoverability.byDefault`,
  });
}

function withDelay(delay: unknown, seconds: number): string {
  const problem = durationProblem(delay);
  return problem === undefined ? `a delay of ${seconds} seconds` : `a delay that cannot be used (${problem})`;
}

/**
 * The actions that a recoverability policy can return.
 *
 * @example
 * ```ts
 * import { createHandler, defineHandlers, recoverability } from 'sagabox';
 * import * as z from 'zod';
 *
 * const billing = defineHandlers({
 *   messages: { ChargeCard: z.object({ orderId: z.string() }) },
 *   handlers: { ChargeCard() {} },
 * });
 *
 * export const handler = createHandler(billing, {
 *   recoverability: {
 *     policy: ({ code, attempts, receiveCount }) => {
 *       if (code === 'SagaConcurrency' && attempts < 10) return recoverability.retryNow;
 *       if (code === undefined && receiveCount > 2) return recoverability.errorQueue;
 *       return recoverability.byDefault;
 *     },
 *   },
 * });
 * ```
 */
export const recoverability = {
  retryNow: { action: 'retryNow' },
  retryIn: (delay: Duration) => ({ action: 'retryIn', delay }) as const,
  errorQueue: { action: 'errorQueue' },
  ignore: { action: 'ignore' },
  byDefault: { action: 'byDefault' },
} as const;
