import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import type { Refusal } from './call.ts';

/** Passing: what the service says that it did not take, and may be tried again at once. */
export function databaseRefusal(passing: boolean): Refusal<never> {
  return passing ? { error: throttled() } : errorAnswer('connection lost');
}

export function throttled(): Error {
  return new SagaboxError('Throttled', { operation: 'a call', reason: 'too many requests' });
}

export function errorAnswer(text: string): { error: Error } {
  return { error: new Error(text) };
}
