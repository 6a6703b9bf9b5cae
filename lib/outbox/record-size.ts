import { writeUnits } from '../dynamodb/capacity-units.ts';
import { itemSize } from '../dynamodb/item-size.ts';
import { tableDefaults } from '../dynamodb/table-defaults.ts';
import { chunkItem, type UndispatchedFields, undispatchedItem } from './record-attributes.ts';

/** What decides on the size of a record with something to send. */
interface SizedRecord extends Omit<UndispatchedFields, 'endpoint' | 'operationCount' | 'chunkCount'> {
  readonly operations: readonly unknown[];
  readonly chunks: readonly Uint8Array[];
}

/** Write units of a record and its chunks by themselves; in a transaction each counts twice. */
export function recordWriteUnits(endpoint: string, record: SizedRecord): number {
  return recordItemSizes(endpoint, record).reduce((total, bytes) => total + writeUnits(bytes), 0);
}

/** As items of a table with the default attribute names: with others, the choice is off by some bytes. */
export function recordItemSizes(endpoint: string, record: SizedRecord): number[] {
  const { messageId, operations, chunks } = record;
  const sizes = { operationCount: operations.length, chunkCount: chunks.length };
  return [
    undispatchedItem(tableDefaults, { ...record, ...sizes, endpoint }),
    ...chunks.map((chunk, index) => chunkItem(tableDefaults, { endpoint, messageId }, index + 1, chunk)),
  ].map(itemSize);
}
