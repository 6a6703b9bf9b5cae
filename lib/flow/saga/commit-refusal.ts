import { type ErrorCode, isSagaboxError } from '../../core/failures/errors.ts';

const conflicts: readonly ErrorCode[] = ['SagaConcurrency', 'TransactionConflict'];

const refusals: readonly ErrorCode[] = [
  ...conflicts,
  'DuplicateMessage',
  'TransactionConditionFailed',
  'InvalidTransactionItem',
  'InvalidSagaStore',
  'RequestRejected',
  'TransactionLimit',
  'ItemTooLarge',
];

/** Of a table that a message writes to by itself: nobody can tell whose it is. */
const ofOneTable: readonly ErrorCode[] = ['TableNotFound', 'TableAccessRefused'];

/** Whether others were at work on what a commit writes: it was written by none of its messages. */
export function isCommitConflict(error: unknown): boolean {
  return isSagaboxError(error) && conflicts.includes(error.code);
}

/** Whether nothing of a commit was written, for something that is in it. */
export function isCommitRefusal(error: unknown): boolean {
  return isSagaboxError(error) && refusals.includes(error.code);
}

/**
 * Whether a commit would fail again, and one of its messages may be why: the others could go without it. So it
 * is with an error that nothing here knows, too.
 */
export function mayBeOfOne(error: unknown): boolean {
  if (!isSagaboxError(error)) return true;
  return (isCommitRefusal(error) && !isCommitConflict(error)) || ofOneTable.includes(error.code);
}
