import { type CommitWrite, commitStep, recordWrites } from '../commit-step.ts';
import type { PlannedStep } from '../message-shape.ts';
import type { RecordMessage } from './planned-record.ts';
import { sagaWriteBytes, writesSaga } from './saga-item-bytes.ts';

export function commit({ shape, record }: RecordMessage): PlannedStep[] {
  const { sagaChange, appended, collected, contributionBytes } = shape;
  const ofSaga = (kind: CommitWrite['kind'], bytes: number) => ({ kind, bytes, table: 'saga' as const });
  const kind = sagaChange === 'complete' ? 'Delete' : 'Put';
  return commitStep([
    ...(writesSaga(shape) ? [ofSaga(kind, sagaWriteBytes(shape))] : []),
    ...Array<CommitWrite>(appended).fill(ofSaga('Put', contributionBytes)),
    ...Array<CommitWrite>(collected).fill(ofSaga('Delete', contributionBytes)),
    ...recordWrites(record),
  ]);
}

/** An empty record, with a check that the saga is still absent. */
export function commitDiscard({ shape, record }: RecordMessage): PlannedStep[] {
  if (shape.sagaBytes === 0 || record === undefined) return [];
  return commitStep([
    { kind: 'ConditionCheck', bytes: 0, table: 'saga' },
    { kind: 'Put', bytes: record.dispatchedBytes, table: 'outbox' },
  ]);
}
