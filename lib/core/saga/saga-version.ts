import { headerNames } from '../incoming/headers.ts';
import { isCancellation, type OutgoingOperation } from '../incoming/message.ts';
import type { SagaWrite } from './saga-state.ts';

/** The version of a saga as a write leaves it; of one that ends, one more than its last. */
export function writtenVersion(write: SagaWrite): number {
  const changes = write.kind === 'complete' ? 1 : (write.changes ?? 1);
  return (write.read?.version ?? 0) + changes;
}

/**
 * What messages carry until their commit is planned: as long as the longest version, so that they are not too
 * large with it.
 */
export const SAGA_VERSION_PLACE = `${Number.MAX_SAFE_INTEGER}.99999999`;

/**
 * With the version that their commit gives the saga, and their place among the operations of their message.
 * Without a version nothing tells their order among those of other messages.
 */
export function withSagaVersion(
  operations: readonly OutgoingOperation[],
  version: number | undefined,
): readonly OutgoingOperation[] {
  return operations.map((operation, ordinal) => {
    if (isCancellation(operation)) return operation;
    const { [headerNames.sagaVersion]: place, ...others } = operation.headers;
    if (place === undefined) return operation;
    if (version === undefined) return { ...operation, headers: others };
    const own = { [headerNames.sagaVersion]: `${version}.${ordinal}` };
    return { ...operation, headers: { ...operation.headers, ...own } };
  });
}
