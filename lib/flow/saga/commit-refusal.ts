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

/** Whether a commit would be refused again, and one of its messages may be why: the others could go without it. */
export function isRefusalOfOne(error: unknown): boolean {
  if (isCommitConflict(error)) return false;
  return isCommitRefusal(error) || (isSagaboxError(error) && ofOneTable.includes(error.code));
}
