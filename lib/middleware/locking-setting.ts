import { keepsInbox } from '../core/embedded/changeover.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { configurationError } from '../core/failures/errors.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import { type Locking, type LockingSettings, lockingSettings } from '../core/saga/locking.ts';
import type { SagaOutboxOptions } from './options.ts';
import type { Environment } from './settings.ts';

/**
 * The option, else the mode that the endpoint is deployed with.
 *
 * @throws SagaboxError `Configuration` also for a handler that is to take leases where the function may not:
 *   each message would fail with an error of IAM
 */
export function lockingOf({ locking, saga }: SagaOutboxOptions, environment: Environment): LockingSettings {
  const variable = environmentVariables.locking;
  const deployed = environment[variable];
  if (locking === undefined && deployed) {
    // A mode that there is not is refused by its settings.
    return lockingSettings({ mode: deployed } as Locking);
  }
  const settings = lockingSettings(locking);
  if (settings.mode !== 'pessimistic' || deployed !== 'optimistic' || saga === undefined) return settings;
  throw configurationError(
    'locking.mode',
    `the handler is to work in 'pessimistic' mode, and ${variable} is 'optimistic': its function may not lock sagas`,
    "Set locking: 'pessimistic' of its MessageEndpoint, or leave the mode of the handler out",
  );
}

/**
 * Whether a saga is loaded with eventual consistency where that will do. Each message writes an item with an inbox:
 * its condition tells that what was read is old.
 */
export function readsEventually(saga: SagaRules | undefined, locking: LockingSettings): boolean {
  return locking.mode === 'optimistic' && (keepsInbox(saga?.outbox) || !locking.consistentRead);
}
