import { SagaboxError } from '../../kernel/errors/errors.ts';
import { gaveNoAnswer } from '../../kernel/errors/no-answer.ts';
import type { SendRefusal } from '../dispatch-options.ts';

/** The reason why a service did not take a message. */
export interface SendFailure extends SendRefusal {
  /** The error of the SDK, for a call that failed as a whole. */
  readonly cause?: unknown;
}

/** @param finalErrors the names of errors of a whole call that no retry helps; all others may pass */
export function callFailure(error: unknown, finalErrors: ReadonlySet<string>): SendFailure {
  const { name, message } = error as Error;
  return { isFinal: finalErrors.has(name), detail: `${name}: ${message}`, cause: error };
}

export function dispatchError(destination: string, failures: readonly SendFailure[]): SagaboxError {
  const code = failures.every(({ isFinal }) => isFinal) ? 'DispatchRefused' : 'DispatchFailed';
  const details = [...new Set(failures.map(({ detail }) => detail))];
  return new SagaboxError(code, { destination, failures: details }, { cause: failures[0]?.cause });
}

/**
 * The names of errors that depend on the caller, whatever it sends: it makes too many calls for now, or its
 * credentials are not valid. Source: "Common errors" in the API References of Amazon SQS, Amazon SNS and
 * Amazon EventBridge.
 */
const callerErrors = new Set([
  'RequestThrottled',
  'ThrottledException',
  'ThrottlingException',
  'Throttling',
  'KmsThrottled',
  'KMSThrottlingException',
  'OverLimit',
  'ServiceUnavailable',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'CredentialsProviderError',
]);

/** Whether a call would have failed with any message, as far as its error tells. */
export function failsWithAny(error: unknown): boolean {
  return gaveNoAnswer(error) || callerErrors.has((error as Error).name);
}
