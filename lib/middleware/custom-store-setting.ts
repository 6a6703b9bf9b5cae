import { keepsInbox } from '../core/embedded/changeover.ts';
import { configurationError } from '../core/failures/errors.ts';
import type { LockingSettings } from '../core/saga/locking.ts';
import type { SagaOutboxOptions } from './options.ts';

/**
 * What rests on the item that sagabox keeps of a saga, a store of the user's cannot have.
 *
 * @throws SagaboxError `Configuration`
 */
export function assertStoreTakes({ saga, sagaStore }: SagaOutboxOptions, locking: LockingSettings): void {
  if (!saga || !sagaStore) return;
  const refused = {
    "locking: { mode: 'pessimistic' }": locking.mode === 'pessimistic',
    'locking: { consistentRead: false }': locking.mode === 'optimistic' && !locking.consistentRead,
    [`outbox: '${saga.outbox}'`]: keepsInbox(saga.outbox),
    'appendedBy and collectedBy': saga.appendedBy !== undefined || saga.collectedBy !== undefined,
    'state: { compress: true }': saga.compressesState === true,
    'a state of its own': saga.hasOwnState === true,
  };
  const setting = Object.keys(refused).find((name) => refused[name]);
  if (setting === undefined) return;
  const problem = `the '${saga.name}' saga has ${setting}, which needs the item that sagabox keeps of it`;
  throw configurationError('sagaStore', problem, 'Leave that out, or keep the saga in the saga table');
}
