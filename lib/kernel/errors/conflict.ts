import { type ErrorCode, isSagaboxError } from './errors.ts';

const conflicts: ReadonlySet<ErrorCode> = new Set([
  'SagaConcurrency',
  'TransactionConflict',
  'DuplicateMessage',
  'LockTimeout',
]);

/** Whether concurrent work on the same saga or message was in the way. */
export function isConflict(error: unknown): boolean {
  return isSagaboxError(error) && conflicts.has(error.code);
}
