import { beforeEach, expect } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../../lib/dynamodb/keys.ts';
import type { Clock } from '../../lib/kernel/clock.ts';
import { type Lease, newLease } from '../../lib/kernel/lease.ts';
import type { Committer } from '../../lib/outbox/commit/committer.ts';
import type { AcquireOutcome, ExpectedSaga, SagaLocks } from '../../lib/saga/saga-locks.ts';
import type { SagaWrite, StoredSaga } from '../../lib/saga/saga-state.ts';
import { at, commitOf, orderSaga } from '../support/commits.ts';
import type { StorePorts } from '../support/dynamodb-ports.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { sagaCreation } from '../support/saga-writes.ts';

export interface LocksSubject {
  readonly sagas: StorePorts['sagas'];
  readonly committer: Committer;
  /** All share the stores; each goes by a clock. */
  locks(clock: Clock): SagaLocks;
}

export type OpenLocks = () => Promise<LocksSubject>;

export const leaseDurationMs = 30_000;
export const meter = () => new CapacityMeter();

const noRevision = { version: 0, commitId: '' };

/** What the tests of leases do, on a fresh subject for each of them. */
export class LocksKit {
  clock = new MovingClock();
  subject!: LocksSubject;
  locks!: SagaLocks;

  constructor(open: OpenLocks) {
    beforeEach(async () => {
      this.clock = new MovingClock();
      this.subject = await open();
      this.locks = this.subject.locks(this.clock);
    });
  }

  leaseOf = (owner: string): Lease => newLease(owner, this.clock.now(), leaseDurationMs);

  acquire = (lease: Lease, expected: ExpectedSaga, saga: SagaIdentity = orderSaga): Promise<AcquireOutcome> =>
    this.locks.tryAcquire(saga, lease, expected, meter());

  take = async (owner: string, expected: ExpectedSaga) => {
    const lease = this.leaseOf(owner);
    const result = await this.acquire(lease, expected);
    expect(result.outcome).toBe('acquired');
    return { lease, stored: storedOf(result) };
  };

  load = () => this.subject.sagas.load(orderSaga, meter());
  commit = (saga: SagaWrite) => this.subject.committer.commit(commitOf({ saga }), meter());
  create = () => this.subject.committer.commit(sagaCreation({ step: 1 }), meter());
}

export function creationBy(leaseOwner?: string): SagaWrite {
  return { kind: 'create', saga: orderSaga, state: { by: leaseOwner }, timeouts: [], leaseOwner };
}

export function updateBy(leaseOwner: string | undefined, stored: StoredSaga | undefined): SagaWrite {
  const read = stored?.revision ?? noRevision;
  return {
    kind: 'update',
    saga: orderSaga,
    state: { by: leaseOwner },
    timeouts: [],
    read,
    createdAt: at,
    leaseOwner,
  };
}

export function completionBy(leaseOwner: string | undefined, stored: StoredSaga | undefined): SagaWrite {
  return { kind: 'complete', saga: orderSaga, read: stored?.revision ?? noRevision, leaseOwner };
}

export function storedOf(result: AcquireOutcome): StoredSaga | undefined {
  return result.outcome === 'acquired' ? result.stored : undefined;
}
