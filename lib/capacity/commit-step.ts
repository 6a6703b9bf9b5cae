import { TRANSACTION_FACTOR, writeUnits } from '../dynamodb/capacity-units.ts';
import { isPlainWrite } from '../outbox/commit.ts';
import type { PlannedStep } from './message-shape.ts';
import type { PlannedRecord } from './records/planned-record.ts';
import { stepOf, sum } from './steps.ts';

/** One write of a commit. */
export interface CommitWrite {
  readonly kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  /** Bytes of the larger one of the item before and after it. */
  readonly bytes: number;
  readonly table: 'saga' | 'outbox';
}

/** The step of a commit, in each table that it writes. A condition check costs as much as a write. */
export function commitStep(writes: readonly CommitWrite[]): PlannedStep[] {
  const [first] = writes;
  if (first === undefined) return [];
  const isPlain = isPlainWrite(writes.length, { [first.kind]: first });
  const operation = isPlain ? `${first.kind}Item` : 'TransactWriteItems';
  const factor = isPlain ? 1 : TRANSACTION_FACTOR;
  return [...Map.groupBy(writes, ({ table }) => table)].map(([table, ofTable], index) => {
    const wcu = factor * sum(ofTable, ({ bytes }) => writeUnits(bytes));
    const calls = index === 0 ? 1 : 0;
    return stepOf({ step: 'commit', operation, calls, items: ofTable.length, wcu, table });
  });
}

/** The writes of a record and its chunks. */
export function recordWrites(record: PlannedRecord | undefined): CommitWrite[] {
  if (record === undefined) return [];
  return [record.recordBytes, ...record.chunkBytes].map((bytes) => ({ kind: 'Put', bytes, table: 'outbox' }));
}
