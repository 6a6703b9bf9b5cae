import type { Clock } from '../kernel/clock.ts';
import type { Committer } from '../outbox/commit/committer.ts';
import type { EmbeddedSagas } from '../outbox/embedded/embedded-sagas.ts';
import type { OutboxStore } from '../outbox/outbox-store.ts';
import type { RequestLeases } from '../outbox/request-leases.ts';
import type { Contributions } from '../saga/contributions.ts';
import type { SagaLocks } from '../saga/saga-locks.ts';
import type { SagaStore } from '../saga/saga-store.ts';
import type { ClaimChecks } from '../sending/claim-check/claim-checks.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';

/** What the flow needs from outside. Every call adds the capacity that it consumed to the meter. */
export interface Ports {
  readonly sagas: SagaStore;
  /** @default - there are none */
  readonly embedded?: EmbeddedSagas;
  /** @default - nothing is appended to sagas */
  readonly contributions?: Contributions;
  readonly locks?: SagaLocks;
  readonly outbox: OutboxStore;
  /** Of exclusive sessions. @default - there are none */
  readonly requestLeases?: RequestLeases;
  readonly committer: Committer;
  readonly dispatcher: Dispatcher;
  readonly claimChecks?: ClaimChecks;
  readonly clock: Clock;
}
