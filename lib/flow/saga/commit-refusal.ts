import { type ErrorCode, isSagaboxError } from '../../core/failures/errors.ts';

const conflicts: readonly ErrorCode[] = ['SagaConcurrency', 'TransactionConflict'];

const refusals: readonly ErrorCode[] = [
  ...conflicts,
  'DuplicateMessage',
  'TransactionConditionFailed',
  'InvalidTransactionItem',
  'RequestRejected',
  'TransactionLimit',
  'ItemTooLarge',
];

/** Whether others were at work on what a commit writes: it was written by none of its messages. */
export function isCommitConflict(error: unknown): boolean {
  return isSagaboxError(error) && conflicts.includes(error.code);
}

/** Whether nothing of a commit was written, and it would be refused again: one of its messages may be why. */
export function isCommitRefusal(error: unknown): boolean {
  return isSagaboxError(error) && refusals.includes(error.code);
}
