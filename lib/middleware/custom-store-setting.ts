import type { CustomSagaStore } from '../adapters/dynamodb/custom-store/custom-saga-store.ts';
import { type Check, trueOrFalse, withMethods } from '../core/checks/checks.ts';
import { configurationError } from '../core/failures/errors.ts';
import type { LockingSettings } from '../core/saga/locking.ts';
import type { SagaOutboxOptions } from './options.ts';

const storeMethods = withMethods('load', 'writesOf');

export const aSagaStore: Check = (value, at, report) =>
  storeMethods(value, at, report) &&
  trueOrFalse((value as CustomSagaStore).keepsDetails, `${at}.keepsDetails`, report);

/**
 * Refuses options that need the item of the saga table, for a saga in a store of the user's.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertCustomStore(
  { saga, sagaStore, outbox = true }: SagaOutboxOptions,
  locking: LockingSettings,
): void {
  if (!saga || !sagaStore) return;
  const refused: Readonly<Record<string, boolean>> = {
    "locking: { mode: 'pessimistic' }": locking.mode === 'pessimistic',
    'locking: { consistentRead: false }': locking.mode === 'optimistic' && !locking.consistentRead,
    'outbox: false': !outbox,
    'an embedded outbox': saga.outbox !== undefined,
    'appendedBy or collectedBy': saga.appendedBy !== undefined || saga.collectedBy !== undefined,
    'state: { compress: true }': saga.compressesState === true,
    'the state of a scatterGather': saga.hasOwnState === true,
    'migrate, and a store without keepsDetails': saga.stateVersion !== undefined && !sagaStore.keepsDetails,
  };
  const setting = Object.keys(refused).find((name) => refused[name]);
  if (setting === undefined) return;
  const problem = `the '${saga.name}' saga has ${setting}, which a saga store of your own does not take`;
  throw configurationError(
    'sagaStore',
    problem,
    'Leave that out, or give the saga a function without sagaStore',
  );
}
