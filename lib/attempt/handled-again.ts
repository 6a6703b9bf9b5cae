import { isSagaboxError, SagaboxError } from '../kernel/errors/errors.ts';

export interface HandledAgainOptions extends ErrorOptions {
  /** Whether the message shares no group for the rest of its delivery. */
  readonly isAlone?: boolean;
}

/**
 * Ends an attempt without a failure of its message: the message is handled again at once, and the attempt
 * neither counts nor is shown to the recoverability policy.
 */
export class HandledAgain extends SagaboxError<'HandledAgain'> {
  readonly isAlone: boolean;

  constructor(messageId: string, reason: string, { isAlone = false, ...options }: HandledAgainOptions = {}) {
    super('HandledAgain', { messageId, reason }, options);
    this.isAlone = isAlone;
  }
}

export function isHandledAgain(error: unknown): error is HandledAgain {
  return isSagaboxError(error) && error instanceof HandledAgain;
}

/** The error that ended an attempt; for `HandledAgain`, its cause. */
export function causeOf(error: unknown): unknown {
  return isHandledAgain(error) ? error.cause : error;
}
