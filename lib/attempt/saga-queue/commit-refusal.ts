import { type ErrorCode, isSagaboxError } from '../../kernel/errors/errors.ts';

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

/** Errors about a table that maybe only one message of the commit writes to, without telling which one. */
const ofOneTable: readonly ErrorCode[] = ['TableNotFound', 'TableAccessRefused'];

/** Whether a commit was refused because of concurrent writes of the same items: nothing of it was written. */
export function isCommitConflict(error: unknown): boolean {
  return isSagaboxError(error) && conflicts.includes(error.code);
}

/** Whether a commit was refused for its content: nothing of it was written. */
export function isCommitRefusal(error: unknown): boolean {
  return isSagaboxError(error) && refusals.includes(error.code);
}

/**
 * Whether a commit would fail again, maybe because of one of its messages: the others could be committed
 * without it. An error that is no `SagaboxError` counts, too.
 */
export function mayBeOfOne(error: unknown): boolean {
  if (!isSagaboxError(error)) return true;
  return (isCommitRefusal(error) && !isCommitConflict(error)) || ofOneTable.includes(error.code);
}
