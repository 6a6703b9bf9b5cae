import { itemWriteUnits, TRANSACTION_FACTOR } from '../../dynamodb/capacity-units.ts';
import type { Item, RecordedCall } from './recorded-call.ts';
import { requestedStatements } from './requested-statements.ts';
import { type RequestedWrite, requestedWrites } from './requested-writes.ts';

/** A transaction that is cancelled for another reason, such as throttling, was not begun. */
const chargedReasons: readonly string[] = ['ConditionalCheckFailed', 'TransactionConflict'];

/**
 * The write units of a call that a condition or another transaction refused: no engine reports them.
 *
 * A write is priced by the larger one of the item that is there, as far as the refusal returns it, and what
 * was to be written; the writes of a cancelled transaction all count, twice. 0 for a call that was not
 * refused so.
 *
 * Source: "DynamoDB read and write operations" in the Amazon DynamoDB Developer Guide, for a condition that
 * fails. No page says what a cancelled transaction takes: this is the most that it can.
 */
export function refusedWriteUnits(call: RecordedCall): number {
  const { operation, input, error } = call;
  const { name, Item: existing, CancellationReasons: reasons } = (error ?? {}) as Refusal;
  const writes = requestedWrites<Item>(operation, input).map(writtenPart);
  if (operation === 'BatchExecuteStatement') return refusedStatementUnits(call);
  if (name === 'ConditionalCheckFailedException') return itemWriteUnits(writes[0], existing);
  if (name !== 'TransactionCanceledException' || operation !== 'TransactWriteItems') return 0;
  if (reasons && !reasons.some(({ Code: code = '' }) => chargedReasons.includes(code))) return 0;
  return writes.reduce(
    (sum, written, index) => sum + TRANSACTION_FACTOR * itemWriteUnits(written, reasons?.[index]?.Item),
    0,
  );
}

/** Each statement of a batch is refused by itself, and a refusal returns no item. */
function refusedStatementUnits(call: RecordedCall): number {
  const refused = requestedStatements(call).filter(({ isRefused }) => isRefused);
  return refused.reduce((sum, { key, sets }) => {
    const values = sets.map(({ path, value }) => [path.join('.'), value]);
    return sum + itemWriteUnits({ ...key, ...Object.fromEntries(values) });
  }, 0);
}

/** Of an update only what is sent is known. */
function writtenPart({ item, key, values }: RequestedWrite<Item>): Item {
  return item ?? { ...key, ...values };
}

interface Refusal {
  readonly name?: string;
  /** The item that is there, where the request asked for it. */
  readonly Item?: Item;
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: Item }[];
}
