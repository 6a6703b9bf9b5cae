import { TRANSACTION_FACTOR, writeUnits } from '../../core/storage/capacity-units.ts';
import type { PlannedStep } from '../message-shape.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { stepOf, sum } from '../steps.ts';
import type { PackedMessage } from './packed-message.ts';
import type { PackedRecord } from './packed-record.ts';
import { sagaWriteBytes, writesSaga } from './saga-item-bytes.ts';

/** An entry of the sparse index: keys, which are small. */
export const INDEX_ENTRY_UNITS = 1;

/** One item that is put by itself is a plain call, at half the price of a transaction. */
export function commit({ shape, record }: PackedMessage): PlannedStep[] {
  const sagaUnits = writesSaga(shape) ? [writeUnits(sagaWriteBytes(shape))] : [];
  const outboxUnits = record ? [record.recordBytes, ...record.chunkBytes].map(writeUnits) : [];
  const isTransaction = sagaUnits.length + outboxUnits.length > 1 || deletesOnly(shape, record);
  const factor = isTransaction ? TRANSACTION_FACTOR : 1;
  const operation = isTransaction ? 'TransactWriteItems' : 'PutItem';
  const isIndexed = shape.relayIndex && shape.outgoing > 0;
  const steps: PlannedStep[] = [];
  if (sagaUnits.length > 0) {
    const wcu = factor * sum(sagaUnits, (units) => units);
    steps.push(stepOf({ step: 'commit', operation, items: sagaUnits.length, wcu, table: 'saga' }));
  }
  if (outboxUnits.length > 0) {
    const indexWcu = isIndexed ? INDEX_ENTRY_UNITS : 0;
    const wcu = factor * sum(outboxUnits, (units) => units) + indexWcu;
    const calls = steps.length > 0 ? 0 : 1;
    const items = outboxUnits.length;
    steps.push(stepOf({ step: 'commit', operation, calls, items, wcu, indexWcu, table: 'outbox' }));
  }
  return steps;
}

/** A condition check costs as much as a write of the item that is checked; there is none. */
export function commitDiscard({ shape, record }: PackedMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || record === undefined) return [];
  const common = { step: 'commit', operation: 'TransactWriteItems', items: 1 } as const;
  const wcu = TRANSACTION_FACTOR * writeUnits(record.dispatchedBytes);
  return [
    stepOf({ ...common, wcu: TRANSACTION_FACTOR * writeUnits(0), table: 'saga' }),
    stepOf({ ...common, calls: 0, wcu, table: 'outbox' }),
  ];
}

function deletesOnly({ sagaChange }: WholeShape, record: PackedRecord | undefined): boolean {
  return record === undefined && sagaChange === 'complete';
}
