import type { Duration } from '../core/duration.ts';
import type { RecoverabilityPolicy } from '../flow/recoverability/policy.ts';

export interface RecoverabilityOptions {
  /**
   * Decides how each failure is handled, in place of the default.
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
   * When a message that failed is delivered again: anything up to a bound that doubles with each delivery.
   *
   * @default { baseDelay: { seconds: 10 }, maxDelay: { minutes: 15 } }
   */
  delayedRetries?: DelayedRetriesOptions;
}

/** Delays grow from `baseDelay`, doubling each time, to `maxDelay`; each is drawn with full jitter. */
export interface DelayedRetriesOptions {
  baseDelay?: Duration;
  /** Up to 12 hours, as long as SQS can hide a message. */
  maxDelay?: Duration;
}

export interface ImmediateRetriesOptions {
  /** Attempts after the first one. */
  maxRetries?: number;
  baseDelay?: Duration;
  maxDelay?: Duration;
}
