import { headerNames } from '../incoming/headers.ts';
import { isCancellation, type OutgoingOperation } from '../incoming/message.ts';
import type { SagaStateWrite, SagaWrite, StoredSaga } from './saga-state.ts';

/** The version of a saga as a write leaves it. */
export function writtenVersion(write: SagaStateWrite): number {
  return (write.kind === 'create' ? 0 : write.read.version) + (write.changes ?? 1);
}

/** What messages carry until the handler returns: the version of a write. */
export function nextSagaVersion(stored: StoredSaga | undefined): number {
  return (stored?.revision.version ?? 0) + 1;
}

/** With the version that the commit leaves: that of the stored saga, when it is not written. */
export function withSagaVersion(
  operations: readonly OutgoingOperation[],
  stored: StoredSaga | undefined,
  write: SagaWrite | undefined,
): readonly OutgoingOperation[] {
  if (stored === undefined || write !== undefined) return operations;
  const version = { [headerNames.sagaVersion]: String(stored.revision.version) };
  return operations.map((operation) =>
    isCancellation(operation) ? operation : { ...operation, headers: { ...operation.headers, ...version } },
  );
}
