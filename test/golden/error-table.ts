import { type ErrorCode, isRetryable, SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { errorSamples } from '../kernel/errors/error-samples.ts';

/** Each code with a message of it, which names cause and remedy, and whether a retry can help. */
export function errorTable(): string {
  const codes = Object.keys(errorSamples).toSorted() as ErrorCode[];
  return codes.map((code) => `${lineOf(code)}\n`).join('');
}

function lineOf(code: ErrorCode): string {
  const [facts] = errorSamples[code];
  const error = new SagaboxError(code, facts as never);
  return `${code}${isRetryable(error) ? ' (retryable)' : ''}: ${error.message}`;
}
