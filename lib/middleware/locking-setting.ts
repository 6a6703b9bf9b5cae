import { environmentVariables } from '../core/environment-variables.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import { type Locking, type LockingSettings, lockingSettings } from '../core/saga/locking.ts';
import type { SagaOutboxOptions } from './options.ts';
import type { Environment } from './settings.ts';

/** The option, else the mode that the endpoint is deployed with. @throws SagaboxError `Configuration` */
export function lockingOf(
  { locking }: Pick<SagaOutboxOptions, 'locking'>,
  environment: Environment,
): LockingSettings {
  const deployed = environment[environmentVariables.locking];
  // A mode that there is not is refused by its settings.
  return lockingSettings(locking ?? (deployed ? ({ mode: deployed } as Locking) : undefined));
}

/**
 * Whether a saga is loaded with eventual consistency where that will do. Each message writes an item with an inbox:
 * its condition tells that what was read is old.
 */
export function readsEventually(saga: SagaRules | undefined, locking: LockingSettings): boolean {
  return locking.mode === 'optimistic' && (saga?.outbox !== undefined || !locking.consistentRead);
}
