import { type Check, trueOrFalse, withMethods } from '../kernel/checks/checks.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import type { CustomSagaStore } from '../saga/custom-store/custom-saga-store.dynamodb.ts';
import type { LockingSettings } from '../saga/definition/locking.ts';
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
