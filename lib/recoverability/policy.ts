import type { SQSRecord } from 'aws-lambda';
import { isNotStarted } from '../attempt/invocation-deadline.ts';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import { type Backoff, backoffDelayMs } from '../kernel/async/retry-with-backoff.ts';
import { type Duration, durationProblem, toSeconds } from '../kernel/duration.ts';
import { type ErrorCode, isRetryable, isSagaboxError, SagaboxError } from '../kernel/errors/errors.ts';
import type { IncomingMessage } from '../messages/message.ts';

/** One failed attempt at one message. */
export interface MessageFailure {
  readonly error: unknown;
  /** The code of a `SagaboxError`; `undefined` for any other error. */
  readonly code: ErrorCode | undefined;
  /** The message; `undefined` if the SQS record could not be read as one. */
  readonly message: IncomingMessage | undefined;
  /** The saga of the message; `undefined` if it has none, or failed before its saga was known. */
  readonly saga: SagaIdentity | undefined;
  readonly record: SQSRecord;
  /** Attempts in this invocation, this one included. */
  readonly attempts: number;
  /** How often SQS delivered the message, this delivery included. */
  readonly receiveCount: number;
  /** The deliveries after which SQS moves the message to the dead letter queue; `undefined` if not known. */
  readonly maxReceiveCount: number | undefined;
  readonly hasErrorQueue: boolean;
}

/** How sagabox handles a failed message. */
export type FailureAction =
  /** Retries the message in this invocation while there is time, then as `retryIn` with the default delay. */
  | { readonly action: 'retryNow' }
  /** Returns the message to its queue, for SQS to deliver again after the delay: up to 12 hours. */
  | { readonly action: 'retryIn'; readonly delay: Duration }
  /** Sends the message to the error queue, with the facts of its failure. */
  | { readonly action: 'errorQueue' }
  /** Acknowledges the message, and stores an empty outbox record; refused for a message that is committed. */
  | { readonly action: 'ignore' };

/** The result of your own policy. */
export type RecoverabilityAction =
  | FailureAction
  /** Lets the default policy decide. */
  | { readonly action: 'byDefault' };

export type RecoverabilityPolicy = (
  failure: MessageFailure,
) => RecoverabilityAction | Promise<RecoverabilityAction>;

export interface DelayedRetries {
  baseDelaySeconds: number;
  maxDelaySeconds: number;
}

export interface RetrySettings {
  /** Retries within one invocation. */
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

function hasCode(...codes: readonly ErrorCode[]): (error: unknown) => boolean {
  return (error) => isSagaboxError(error) && codes.includes(error.code);
}

/** The error of a setting in the environment that is missing or wrong: the function can handle no message. */
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
    // 1 to 5 s: a message that came back at once would use up its receive count behind slow messages.
    if (isNotStarted(error)) return recoverability.retryIn({ seconds: 1 + Math.floor(5 * random()) });
    if (isUnrecoverable(error) && hasErrorQueue) return recoverability.errorQueue;
    const { maxRetries } = settings.immediateRetries;
    if (isRetryable(error) && attempts <= maxRetries) return recoverability.retryNow;
    const seconds = delayedRetrySeconds(receiveCount, settings.delayedRetries, random());
    return recoverability.retryIn({ seconds });
  };
}

/**
 * The delay of a retry, with full jitter up to a bound that doubles with each delivery. It is at least a
 * second, unless a setting is shorter.
 */
export function delayedRetrySeconds(receiveCount: number, delays: DelayedRetries, random: number): number {
  const bounds = { baseDelayMs: delays.baseDelaySeconds, maxDelayMs: delays.maxDelaySeconds };
  const seconds = Math.round(backoffDelayMs(receiveCount - 1, bounds, random));
  return Math.max(Math.min(1, delays.baseDelaySeconds, delays.maxDelaySeconds), seconds);
}

/** @throws SagaboxError `Configuration` if the value is no action */
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
