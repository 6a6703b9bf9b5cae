import { isSagaboxError, SagaboxError } from '../../core/failures/errors.ts';

/**
 * What the flow needs is missing in the environment, or wrong there: no message of the function can be
 * handled.
 */
export class NotConfigured extends SagaboxError<'Configuration'> {}

export function isNotConfigured(error: unknown): error is NotConfigured {
  return isSagaboxError(error) && error instanceof NotConfigured;
}
