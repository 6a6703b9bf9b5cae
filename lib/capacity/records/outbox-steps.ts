import { PAGE_BYTES, readUnits, writeUnits } from '../../dynamodb/capacity-units.ts';
import { limits } from '../../kernel/limits.ts';
import type { PlannedStep } from '../message-shape.ts';
import { stepOf, sum } from '../steps.ts';
import type { PlannedRecord, RecordMessage } from './planned-record.ts';

export function dedupCheck({ record }: RecordMessage, foundBytes: number): PlannedStep[] {
  if (record === undefined) return [];
  const rcu = readUnits(foundBytes, true);
  return [stepOf({ step: 'dedup check', operation: 'BatchGetItem', items: 1, rcu, table: 'outbox' })];
}

export function readChunks(chunkBytes: readonly number[]): PlannedStep[] {
  return readPages(chunkBytes, { step: 'dedup check', table: 'outbox' });
}

/** Each page is rounded up by itself. */
export function readPages(
  itemBytes: readonly number[],
  of: Pick<PlannedStep, 'step' | 'table'>,
): PlannedStep[] {
  const [full = 0] = itemBytes;
  if (full === 0) return [];
  const perPage = Math.max(1, Math.floor(PAGE_BYTES / full));
  const calls = Math.ceil(itemBytes.length / perPage);
  const bytesOfPages = Array.from({ length: calls }, (_, page) =>
    sum(itemBytes.slice(page * perPage, (page + 1) * perPage), (bytes) => bytes),
  );
  const rcu = sum(bytesOfPages, (bytes) => readUnits(bytes, true));
  return [stepOf({ ...of, operation: 'Query', calls, items: itemBytes.length, rcu })];
}

export function mark({ record }: RecordMessage): PlannedStep[] {
  if (record === undefined) return [];
  const wcu = writeUnits(Math.max(record.recordBytes, record.dispatchedBytes));
  return [
    ...clear(record),
    stepOf({ step: 'mark', operation: 'BatchWriteItem', items: 1, wcu, table: 'outbox' }),
  ];
}

/** All operations are kept as sent before the chunks that hold them are deleted. */
function clear({ recordBytes, chunkBytes: deletedBytes }: PlannedRecord): PlannedStep[] {
  if (deletedBytes.length === 0) return [];
  const wcu = writeUnits(recordBytes);
  return [
    stepOf({ step: 'clear', operation: 'UpdateItem', items: 1, wcu, table: 'outbox' }),
    stepOf({
      step: 'clear',
      operation: 'BatchWriteItem',
      calls: Math.ceil(deletedBytes.length / limits.batchWriteItems),
      items: deletedBytes.length,
      wcu: sum(deletedBytes, writeUnits),
      table: 'outbox',
    }),
  ];
}
