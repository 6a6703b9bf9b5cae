import { headerNames } from '../messages/headers.ts';
import { isCancellation, type OutgoingOperation } from '../messages/message.ts';

/**
 * The version that messages carry until their commit is planned: as long as the longest one, so that no
 * message gets too large with its own.
 */
export const SAGA_VERSION_PLACE = `${Number.MAX_SAFE_INTEGER}.99999999`;

/**
 * Returns operations with the version that their commit gives the saga, and their place among the operations
 * of their message. Without a version, their order among those of other messages is not known.
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
