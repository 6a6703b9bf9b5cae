import type { ExpectedSaga, SagaLocks } from '../ports.ts';

const lastFound = new WeakMap<SagaLocks, Map<string, ExpectedSaga>>();

/**
 * Whether a message that starts a saga is likely to find it there already: what the last one of its type found. A wrong
 * guess costs a refused write.
 */
export function guessSaga(locks: SagaLocks, messageType: string): ExpectedSaga {
  return lastFound.get(locks)?.get(messageType) ?? 'new';
}

export function rememberSaga(locks: SagaLocks, messageType: string, found: ExpectedSaga): void {
  const byType = lastFound.get(locks) ?? new Map<string, ExpectedSaga>();
  lastFound.set(locks, byType.set(messageType, found));
}
