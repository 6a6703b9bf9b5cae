import type { MessageLogger } from '../messages/logger.ts';
import type { FlowHooks } from '../observe/hooks.ts';
import type { SagaRules } from '../saga/definition/define-saga.ts';
import type { PessimisticSettings } from '../saga/definition/locking.ts';
import type { ExpectedSaga, SagaLocks } from '../saga/saga-locks.ts';
import type { Sending } from '../sending/sending.ts';
import type { Outbox } from './outbox.ts';
import type { Ports } from './ports.ts';

/** The settings and ports that all messages of one definition share. */
export interface Flow {
  readonly endpoint: string;
  readonly ports: Ports;
  readonly sending: Sending;
  readonly saga: SagaRules | undefined;
  /** Whether a first attempt may load its saga with eventual consistency. */
  readonly readsEventually?: boolean;
  /** How sagas are locked; `undefined` if they cannot be. */
  readonly leases?: SagaLeases | undefined;
  readonly outbox: Outbox;
  /** How long a handled message is recognized as a duplicate. */
  readonly deduplicationPeriodSeconds: number;
  readonly hooks: FlowHooks;
  readonly logger: MessageLogger;
}

/** How a flow takes leases on its sagas. */
export interface SagaLeases {
  /** Whether each message takes a lease, as in pessimistic mode; otherwise only a crowd does. */
  readonly isForEach: boolean;
  readonly settings: PessimisticSettings;
  readonly locks: SagaLocks;
  /** Whether the last starting message of each type found a saga: a wrong guess costs a refused write. */
  readonly lastFound: Map<string, ExpectedSaga>;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Returns another owner at each call. */
  readonly newLeaseOwner: () => string;
}
