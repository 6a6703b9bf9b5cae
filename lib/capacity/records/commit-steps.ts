import { TRANSACTION_FACTOR, writeUnits } from '../../core/storage/capacity-units.ts';
import type { PlannedStep } from '../message-shape.ts';
import { stepOf, sum } from '../steps.ts';
import type { RecordMessage } from './planned-record.ts';
import { sagaWriteBytes, writesSaga } from './saga-item-bytes.ts';

/** One item that is put by itself is a plain call, at half the price of a transaction. */
export function commit({ shape, record }: RecordMessage): PlannedStep[] {
  const contributions = Array<number>(shape.appended + shape.collected).fill(shape.contributionBytes);
  const sagaUnits = [...(writesSaga(shape) ? [sagaWriteBytes(shape)] : []), ...contributions].map(writeUnits);
  const outboxUnits = record ? [record.recordBytes, ...record.chunkBytes].map(writeUnits) : [];
  const deletesOnly = record === undefined && shape.sagaChange === 'complete';
  const isTransaction = sagaUnits.length + outboxUnits.length > 1 || deletesOnly;
  const factor = isTransaction ? TRANSACTION_FACTOR : 1;
  const operation = isTransaction ? 'TransactWriteItems' : 'PutItem';
  const common = { step: 'commit', operation } as const;
  const total = (units: readonly number[]) => factor * sum(units, (each) => each);
  const saga = stepOf({ ...common, items: sagaUnits.length, wcu: total(sagaUnits), table: 'saga' });
  const outbox = stepOf({
    ...common,
    calls: sagaUnits.length > 0 ? 0 : 1,
    items: outboxUnits.length,
    wcu: total(outboxUnits),
    table: 'outbox',
  });
  return [saga, outbox].filter(({ items }) => items > 0);
}

/** A condition check costs as much as a write of the item that is checked; there is none. */
export function commitDiscard({ shape, record }: RecordMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || record === undefined) return [];
  const common = { step: 'commit', operation: 'TransactWriteItems', items: 1 } as const;
  const wcu = TRANSACTION_FACTOR * writeUnits(record.dispatchedBytes);
  return [
    stepOf({ ...common, wcu: TRANSACTION_FACTOR * writeUnits(0), table: 'saga' }),
    stepOf({ ...common, calls: 0, wcu, table: 'outbox' }),
  ];
}
