import type { Duration } from '../kernel/duration.ts';
import type { RecoverabilityPolicy } from '../recoverability/policy.ts';

export interface RecoverabilityOptions {
  /**
   * Decides how each failure is handled, in place of the default; see
   * docs/guide/recoverability.md#a-policy-of-your-own.
   *
   * @default retryable failures are retried immediately, unrecoverable messages go to the error queue, and
   *   all others are delivered again later
   */
  policy?: RecoverabilityPolicy;
  /**
   * Retries within the invocation, with full jitter, of conflicts, throttling and the like.
   *
   * @default { maxRetries: 5, baseDelay: { milliseconds: 50 }, maxDelay: { seconds: 2 } }
   */
  immediateRetries?: ImmediateRetriesOptions;
  /**
   * The delay until a failed message is delivered again: any up to a bound that doubles with each delivery.
   *
   * @default { baseDelay: { seconds: 10 }, maxDelay: { minutes: 15 } }
   */
  delayedRetries?: DelayedRetriesOptions;
}

/** Delays grow from `baseDelay`, doubling each time, to `maxDelay`; each is drawn with full jitter. */
export interface DelayedRetriesOptions {
  baseDelay?: Duration;
  /** The longest delay, up to the 12 hours that SQS can hide a message for. */
  maxDelay?: Duration;
}

export interface ImmediateRetriesOptions {
  /** Attempts after the first one. */
  maxRetries?: number;
  baseDelay?: Duration;
  maxDelay?: Duration;
}
