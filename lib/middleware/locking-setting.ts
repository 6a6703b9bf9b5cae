import { environmentVariables } from '../core/environment-variables.ts';
import type { SagaRules } from '../core/saga/define-saga.ts';
import { type Locking, type LockingSettings, lockingSettings } from '../core/saga/locking.ts';
import type { SagaOutboxOptions } from './options.ts';
import type { Environment } from './settings.ts';

/** The locking of the option, else of the deployed endpoint. @throws SagaboxError `Configuration` */
export function lockingOf(
  { locking }: Pick<SagaOutboxOptions, 'locking'>,
  environment: Environment,
): LockingSettings {
  const deployed = environment[environmentVariables.locking];
  // `lockingSettings` refuses a mode that does not exist.
  return lockingSettings(locking ?? (deployed ? ({ mode: deployed } as Locking) : undefined));
}

/**
 * Whether a first attempt may load its saga with eventual consistency. With an embedded outbox each message
 * writes the item: the condition of that write detects an old read.
 */
export function readsEventually(saga: SagaRules | undefined, locking: LockingSettings): boolean {
  return locking.mode === 'optimistic' && (saga?.outbox !== undefined || !locking.consistentRead);
}
