import { writeUnits } from '../../core/storage/capacity-units.ts';
import { itemSize } from '../../core/storage/item-size.ts';
import type { Item, RecordedCall } from './recorded-call.ts';

/** A transaction prepares and commits, which costs each of its items twice. */
const transactionFactor = 2;

/** A transaction that is cancelled for another reason, such as throttling, was not begun. */
const chargedReasons: readonly string[] = ['ConditionalCheckFailed', 'TransactionConflict'];

interface RefusedWrite {
  /** Of a put. */
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ExpressionAttributeValues?: Item;
}

/**
 * The write units of a call that a condition or another transaction refused: no engine reports them, so that this is the one place that prices a call.
 *
 * A write is priced by the larger one of the item that is there, as far as the refusal returns it, and what was to be written; the
 * writes of a cancelled transaction all count, twice. 0 for a call that was not refused so.
 *
 * Source: "DynamoDB read and write operations" in the Amazon DynamoDB Developer Guide, for a condition that fails. No page says what a
 * cancelled transaction takes: this is the most that it can.
 */
export function refusedWriteUnits({ operation, input, error }: RecordedCall): number {
  const { name, Item: existing, CancellationReasons: reasons } = (error ?? {}) as Refusal;
  if (name === 'ConditionalCheckFailedException') return unitsOf(input, existing);
  if (name !== 'TransactionCanceledException' || operation !== 'TransactWriteItems') return 0;
  if (reasons && !reasons.some(({ Code: code = '' }) => chargedReasons.includes(code))) return 0;
  const writes: readonly Record<string, RefusedWrite>[] = input.TransactItems ?? [];
  return writes.reduce((sum, write, index) => {
    const [request = {}] = Object.values(write);
    return sum + transactionFactor * unitsOf(request, reasons?.[index]?.Item);
  }, 0);
}

interface Refusal {
  readonly name?: string;
  /** The item that is there, where the request asked for it. */
  readonly Item?: Item;
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: Item }[];
}

function unitsOf(
  { Item: put, Key: key = {}, ExpressionAttributeValues: values = {} }: RefusedWrite,
  existing: Item | undefined,
): number {
  const written = put ? itemSize(put) : itemSize(key) + itemSize(values);
  return writeUnits(Math.max(written, existing ? itemSize(existing) : 0));
}
