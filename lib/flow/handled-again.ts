import { isSagaboxError, SagaboxError } from '../core/failures/errors.ts';

export interface HandledAgainOptions extends ErrorOptions {
  /** Whether it shares no group any more in this delivery. */
  readonly isAlone?: boolean;
}

/**
 * Ends an attempt that is no failure of its message: it is handled again at once, and neither counts nor is
 * shown to the recoverability policy.
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

/** Why an attempt has ended, also where that is no failure of its message. */
export function causeOf(error: unknown): unknown {
  return isHandledAgain(error) ? error.cause : error;
}
