/** Of what DynamoDB refuses, or does not answer. */
export const tableErrorMessages = {
  /** Another transaction was at work on the same item: nothing was written. */
  TransactionConflict: (f: { item: string }) =>
    `Another transaction was at work on ${f.item}. Nothing was written: it is tried again.`,
  /** DynamoDB did not take the request for now. */
  Throttled: (f: { operation: string; reason: string }) =>
    `DynamoDB did not take ${f.operation} (${f.reason}): ` +
    "it is tried again; raise the table's capacity when this lasts.",
  /** DynamoDB gave no answer: what was asked for may have been done. */
  TableCallFailed: (f: { operation: string; tableNames: readonly string[]; detail: string }) =>
    `DynamoDB gave no answer to ${f.operation} on ${f.tableNames.join(', ')} (${f.detail}): ` +
    'it is tried again.',
  /** What was given to `transaction.add` is no single write of a table, or holds what is no attribute value. */
  InvalidTransactionItem: (f: { index: number; detail: string }) =>
    `Write ${f.index}, added with transaction.add, is refused: ${f.detail}.`,
  /** A condition that the handler added with `transaction.add` did not hold: nothing was written. */
  TransactionConditionFailed: (f: { index: number; tableName: string }) =>
    `The condition of write ${f.index} on table '${f.tableName}', added with transaction.add, did not ` +
    'hold. Nothing was written: read what it depends on in the handler, and decide there.',
  /** DynamoDB refuses the request for what it says, now and later. */
  RequestRejected: (f: { detail: string }) => `DynamoDB refuses the request: ${f.detail}.`,
  /** More writes, or more bytes, than one DynamoDB transaction takes. */
  TransactionLimit: (f: { limit: string; actual: number; maximum: number; remedy: string }) =>
    `${f.actual} ${f.limit} exceed the ${f.maximum} of one transaction: ${f.remedy}.`,
  /** An item over the 400 KB of DynamoDB, over the 399 KB of a saga, or over 392 KB with an embedded outbox. */
  ItemTooLarge: (f: { item: string; bytes: number; maximum: number }) =>
    `${f.item} takes ${f.bytes} bytes, over its maximum of ${f.maximum}: ` +
    'keep large data elsewhere. The state of a saga can be compressed.',
  TableNotFound: (f: { tableNames: readonly string[] }) =>
    `A DynamoDB table does not exist (used: ${f.tableNames.join(', ')}): ` +
    'deploy it, or correct the table name, region and account.',
  /** The function's role, its credentials or the table's key do not allow a call. */
  TableAccessRefused: (f: { operation: string; tableNames: readonly string[]; detail: string }) =>
    `DynamoDB refuses access by ${f.operation} to ${f.tableNames.join(', ')} (${f.detail}): ` +
    "grant it to the function's role, for the table and its key.",
};
