import type { ClaimChecks } from './ports/claim-checks.ts';
import type { Clock } from './ports/clock.ts';
import type { Committer } from './ports/committer.ts';
import type { Contributions } from './ports/contributions.ts';
import type { Dispatcher } from './ports/dispatcher.ts';
import type { EmbeddedSagas } from './ports/embedded-sagas.ts';
import type { OutboxStore } from './ports/outbox-store.ts';
import type { RequestLeases } from './ports/request-leases.ts';
import type { SagaLocks } from './ports/saga-locks.ts';
import type { SagaStore } from './ports/saga-store.ts';

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
