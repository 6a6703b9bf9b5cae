import { headerNames } from '../incoming/headers.ts';
import { isCancellation, type OutgoingOperation } from '../incoming/message.ts';
import type { SagaWrite, StoredSaga } from './saga-state.ts';

/**
 * What messages carry until their commit is planned: as long as the longest version, so that they are not too
 * large with it.
 */
export const SAGA_VERSION_PLACE = `${Number.MAX_SAFE_INTEGER}.99999999`;

/** The one that a commit gives the saga; undefined when it does not write it. */
export function writtenVersion(
  stored: StoredSaga | undefined,
  write: SagaWrite | undefined,
): number | undefined {
  return write && (stored?.revision.version ?? 0) + 1;
}

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
