import type { UntilEnd } from './attempt.ts';
import type { MessageFailure } from './recoverability.ts';

/** Is told what becomes of messages that fail. */
export interface RecoveryObserver {
  /** It is returned untouched: the invocation is about to end. */
  notStarted(failure: MessageFailure, retryInSeconds: number): void;
  /** It is tried again in this invocation, after the delay. */
  retried(failure: MessageFailure, delayMs: number, untilEnd: UntilEnd): Promise<void>;
  returned(failure: MessageFailure, retryInSeconds: number): void;
  forwarded(failure: MessageFailure): void;
  forwardFailed(failure: MessageFailure, error: unknown): void;
  ignored(failure: MessageFailure): void;
  /** The policy threw or returned no action; the default one decides. */
  policyFailed(failure: MessageFailure, error: unknown): void;
}
