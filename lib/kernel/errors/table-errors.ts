import type { OfRecord } from './delivery-errors.ts';
import { retryable } from './retryable.ts';

/** Errors of tables: the message of each, made of its facts. */
export const tableErrorMessages = {
  /**
   * Another transaction was writing one of the items. Nothing was written.
   *
   * @remedy No action is needed for a single one. Many of them: [reduce
   * contention](docs/guide/concurrency.md#reduce-contention), also on tables of your own that handlers
   * write with `transaction.add`.
   */
  TransactionConflict: retryable(
    (f: { item: string }) =>
      `Another transaction was at work on ${f.item}. Nothing was written: it is tried again.`,
  ),
  /**
   * DynamoDB throttled the request.
   *
   * @remedy No action is needed for a single one. If it lasts, raise the capacity of the table; see [Units
   * and table throttles](docs/guide/operations.md#units-and-table-throttles).
   */
  Throttled: retryable(
    (f: { operation: string; reason: string }) =>
      `DynamoDB did not take ${f.operation} (${f.reason}): ` +
      "it is tried again; raise the table's capacity when this lasts.",
  ),
  /**
   * DynamoDB did not answer a request, which can have succeeded.
   *
   * @remedy No action is needed for a single one: the next attempt finds out. If it lasts, look at the
   * network of the function and at the state of DynamoDB.
   */
  TableCallFailed: retryable(
    (f: { operation: string; tableNames: readonly string[]; detail: string }) =>
      `DynamoDB gave no answer to ${f.operation} on ${f.tableNames.join(', ')} (${f.detail}): ` +
      'it is tried again.',
  ),
  /**
   * The argument of `transaction.add` is no single write of a table, a value in it is no attribute value of
   * DynamoDB, such as `{ N: 5 }` for `{ N: '5' }`, or the call came [after the handler had
   * returned](docs/reference/options.md#after-the-handler-returned).
   *
   * @remedy The error names what is wrong, with its path such as `Item.total.N`, and its stack the call.
   */
  InvalidTransactionItem: (f: { index: number; detail: string }) =>
    `Write ${f.index}, added with transaction.add, is refused: ${f.detail}.`,
  /**
   * The condition of a write added with [`transaction.add`](docs/guide/sagas.md#writes-of-your-own) was
   * false. Nothing was written.
   *
   * @remedy Read what the condition depends on in the handler, and decide there. The message is delivered
   * again until its last delivery; a [policy](docs/guide/sagas.md#writes-of-your-own) sends it to the error
   * queue at once.
   */
  TransactionConditionFailed: (f: { index: number; tableName: string }) =>
    `The condition of write ${f.index} on table '${f.tableName}', added with transaction.add, did not ` +
    'hold. Nothing was written: read what it depends on in the handler, and decide there.',
  /**
   * DynamoDB refuses a request for its content, such as two writes of one item in a transaction.
   *
   * @remedy Correct the write that the error describes. Merge two writes of one item into one.
   */
  RequestRejected: (f: { detail: string }) => `DynamoDB refuses the request: ${f.detail}.`,
  /**
   * A commit has over 100 writes or over 4 MB, or the messages of one handler take over 16 MiB before
   * compression; see [Limits](docs/guide/outbox.md#limits).
   *
   * @remedy Send fewer or smaller messages from one handler, add fewer writes, [collect fewer values at
   * once](docs/guide/appending.md#collect), keep large data elsewhere, or split the work over several
   * messages.
   */
  TransactionLimit: (f: { limit: string; actual: number; maximum: number; remedy: string }) =>
    `${f.actual} ${f.limit} exceed the ${f.maximum} of one transaction: ${f.remedy}.`,
  /**
   * An item takes over 400 KB, the item of a saga over 399 KB, or a state takes the item of a saga with an
   * [embedded outbox](docs/guide/embedded-outbox.md#when-the-inbox-is-full) over 392 KB. The rest of the
   * 400 KB is for leases, and for the ids of further messages.
   *
   * @remedy Keep large data elsewhere, or [compress the state](docs/guide/sagas.md#a-compressed-state).
   */
  ItemTooLarge: (f: { item: string; bytes: number; maximum: number }) =>
    `${f.item} takes ${f.bytes} bytes, over its maximum of ${f.maximum}: ` +
    'keep large data elsewhere. The state of a saga can be compressed.',
  /**
   * A table does not exist.
   *
   * @remedy Deploy it, or correct the table name, the region or the account.
   */
  TableNotFound: (f: { tableNames: readonly string[] }) =>
    `A DynamoDB table does not exist (used: ${f.tableNames.join(', ')}): ` +
    'deploy it, or correct the table name, region and account.',
  /**
   * The role or the credentials of the function have no access to a table, or to its key.
   *
   * @remedy Grant the operation that the error names to the role, for the table and its key. The constructs
   * do that for their own tables; [Writes of your own](docs/guide/sagas.md#writes-of-your-own) shows it for
   * yours.
   */
  TableAccessRefused: (f: { operation: string; tableNames: readonly string[]; detail: string }) =>
    `DynamoDB refuses access by ${f.operation} to ${f.tableNames.join(', ')} (${f.detail}): ` +
    "grant it to the function's role, for the table and its key.",
  /**
   * A part of a record's outgoing messages is missing, or the item of a saga with an embedded outbox tells
   * of a record that is not visible yet. The record is kept.
   *
   * @remedy No action is needed for a single one: another delivery may be marking the record. If it lasts,
   * an item of the record may have been deleted: [restore
   * it](docs/guide/runbooks.md#restore-to-a-point-in-time).
   */
  IncompleteOutboxRecord: retryable(
    (f: OfRecord & { detail: string }) =>
      `The outbox record of message '${f.messageId}' at endpoint '${f.endpoint}' is incomplete ` +
      `(${f.detail}): it is kept, and read again when the message is retried.`,
  ),
  /**
   * A stored item has a schema version that this release does not know, or is damaged. The item does not
   * change, and the message is kept.
   *
   * @remedy Deploy the release that wrote it, or a later one. If it is damaged, [restore
   * it](docs/guide/runbooks.md#restore-to-a-point-in-time) from a backup.
   */
  UnreadableItem: (f: { item: string; detail: string }) =>
    `${f.item} cannot be read (${f.detail}): it is kept as it is. ` +
    'Deploy the release that wrote it, or a later one. If it is damaged, restore it from a backup.',
};
