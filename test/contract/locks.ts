import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/core/capacity-meter.ts';
import type { SagaIdentity } from '../../lib/core/keys.ts';
import { type Lease, newLease } from '../../lib/core/lease.ts';
import type { SagaWrite, StoredSaga } from '../../lib/core/saga-state.ts';
import type {
  AcquireOutcome,
  Clock,
  Committer,
  ExpectedSaga,
  SagaLocks,
  SagaStore,
} from '../../lib/ports.ts';
import { at, commitOf, orderSaga, sagaCreation } from '../support/commits.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { MovingClock } from '../support/moving-clock.ts';

export interface LocksSubject {
  readonly sagas: SagaStore;
  readonly committer: Committer;
  /** All share the stores; each goes by a clock. */
  locks(clock: Clock): SagaLocks;
}

const leaseDurationMs = 30_000;
const meter = () => new CapacityMeter();

/** What every implementation of SagaLocks does, and what a lease means for a commit. */
export function describeLocksContract(open: () => Promise<LocksSubject>): void {
  let clock: MovingClock;
  let subject: LocksSubject;
  let locks: SagaLocks;

  beforeEach(async () => {
    clock = new MovingClock();
    subject = await open();
    locks = subject.locks(clock);
  });

  const leaseOf = (owner: string): Lease => newLease(owner, clock.now(), leaseDurationMs);
  const acquire = (lease: Lease, expected: ExpectedSaga, saga: SagaIdentity = orderSaga) =>
    locks.tryAcquire(saga, lease, expected, meter());
  const take = async (owner: string, expected: ExpectedSaga) => {
    const lease = leaseOf(owner);
    const result = await acquire(lease, expected);
    expect(result.outcome).toBe('acquired');
    return { lease, stored: storedOf(result) };
  };
  const load = () => subject.sagas.load(orderSaga, meter());
  const commit = (saga: SagaWrite) => subject.committer.commit(commitOf({ saga }), meter());
  const create = () => subject.committer.commit(sagaCreation({ step: 1 }), meter());
  const creationBy = (leaseOwner?: string): SagaWrite => ({
    kind: 'create',
    saga: orderSaga,
    state: { by: leaseOwner },
    leaseOwner,
  });
  const updateBy = (leaseOwner: string | undefined, stored: StoredSaga | undefined): SagaWrite => ({
    kind: 'update',
    saga: orderSaga,
    state: { by: leaseOwner },
    read: stored?.revision ?? { version: 0, commitId: '' },
    createdAt: at,
    leaseOwner,
  });
  const completionBy = (leaseOwner: string | undefined, stored: StoredSaga | undefined): SagaWrite => ({
    kind: 'complete',
    saga: orderSaga,
    read: stored?.revision ?? { version: 0, commitId: '' },
    leaseOwner,
  });

  describe('the lease on a saga', () => {
    it('that exists is given together with the saga', async () => {
      await create();
      const { stored } = await take('a', 'existing');
      expect(stored?.readState()).toEqual({ step: 1 });
      expect(stored?.revision).toEqual((await load())?.revision);
      expect(stored?.createdAt).toEqual(at);
    });

    it('that does not exist is given, and is no saga', async () => {
      const { stored } = await take('a', 'new');
      expect(stored).toBeUndefined();
      expect(await load()).toBeUndefined();
    });

    it.each(['existing', 'new'] as const)('(%s) is refused while it is held, with its end', async (kind) => {
      if (kind === 'existing') await create();
      const { lease } = await take('a', kind);
      clock.pass(leaseDurationMs);
      expect(await acquire(leaseOf('b'), kind)).toEqual({ outcome: 'held', until: lease.until });
    });

    it.each(['existing', 'new'] as const)('(%s) is given again after its end', async (kind) => {
      if (kind === 'existing') await create();
      await take('a', kind);
      clock.pass(leaseDurationMs + 1);
      await take('b', kind);
    });

    it('is recognised when it is asked for again by its owner', async () => {
      await create();
      const { lease } = await take('a', 'existing');
      const again = await acquire(lease, 'existing');
      expect(again.outcome).toBe('acquired');
      expect(storedOf(again)?.readState()).toEqual({ step: 1 });
    });

    it.each([false, true])('is not given as new when the saga exists; locked: %s', async (isLocked) => {
      await create();
      if (isLocked) await take('a', 'existing');
      expect(await acquire(leaseOf('b'), 'new')).toEqual({ outcome: 'unexpected' });
    });

    it.each([false, true])('is not given as existing when there is no saga; locked: %s', async (isLocked) => {
      if (isLocked) await take('a', 'new');
      expect(await acquire(leaseOf('b'), 'existing')).toEqual({ outcome: 'unexpected' });
      expect(await load()).toBeUndefined();
      if (!isLocked) await take('c', 'new');
    });

    it('is given to one of several that ask at once', async () => {
      await create();
      const results = await Promise.all(
        ['a', 'b', 'c', 'd'].map((owner) => acquire(leaseOf(owner), 'existing')),
      );
      const outcomes = results.map(({ outcome }) => outcome).toSorted();
      expect(outcomes).toEqual(['acquired', 'held', 'held', 'held']);
    });

    it('does not hinder another saga', async () => {
      await take('a', 'new');
      const other = await acquire(leaseOf('b'), 'new', { ...orderSaga, id: '43' });
      expect(other.outcome).toBe('acquired');
    });
  });

  describe.each(['existing', 'new'] as const)('a renewal of a lease (%s)', (kind) => {
    beforeEach(async () => {
      if (kind === 'existing') await create();
    });

    it('moves its end', async () => {
      const { lease } = await take('a', kind);
      clock.pass(20_000);
      const renewed = leaseOf(lease.owner);
      expect(await locks.renew(orderSaga, renewed, meter())).toBe(true);
      clock.pass(leaseDurationMs);
      expect(await acquire(leaseOf('b'), kind)).toEqual({ outcome: 'held', until: renewed.until });
    });

    it('holds after its end too, while nobody has taken it', async () => {
      const { lease } = await take('a', kind);
      clock.pass(leaseDurationMs + 1);
      expect(await locks.renew(orderSaga, leaseOf(lease.owner), meter())).toBe(true);
      expect((await acquire(leaseOf('b'), kind)).outcome).toBe('held');
    });

    it('fails for one that somebody else has taken', async () => {
      const first = await take('a', kind);
      clock.pass(leaseDurationMs + 1);
      const second = await take('b', kind);
      expect(await locks.renew(orderSaga, leaseOf(first.lease.owner), meter())).toBe(false);
      expect(await acquire(leaseOf('c'), kind)).toEqual({ outcome: 'held', until: second.lease.until });
    });

    it('fails for one that was given back, and locks nothing', async () => {
      const { lease } = await take('a', kind);
      await locks.release(orderSaga, lease, kind, meter());
      expect(await locks.renew(orderSaga, leaseOf('a'), meter())).toBe(false);
      await take('b', kind);
    });
  });

  describe.each(['existing', 'new'] as const)('the release of a lease (%s)', (kind) => {
    beforeEach(async () => {
      if (kind === 'existing') await create();
    });

    it('lets the next one in at once', async () => {
      const { lease } = await take('a', kind);
      await locks.release(orderSaga, lease, kind, meter());
      const { stored } = await take('b', kind);
      expect(stored?.readState()).toEqual(kind === 'existing' ? { step: 1 } : undefined);
    });

    it('does nothing when somebody else has taken it', async () => {
      const first = await take('a', kind);
      clock.pass(leaseDurationMs + 1);
      const second = await take('b', kind);
      await locks.release(orderSaga, first.lease, kind, meter());
      expect(await acquire(leaseOf('c'), kind)).toEqual({ outcome: 'held', until: second.lease.until });
    });

    it('does nothing the second time', async () => {
      const { lease } = await take('a', kind);
      await locks.release(orderSaga, lease, kind, meter());
      await locks.release(orderSaga, lease, kind, meter());
      expect((await load())?.readState()).toEqual(kind === 'existing' ? { step: 1 } : undefined);
    });
  });

  describe('a commit under a lease', () => {
    it('creates the saga, and gives the lease back', async () => {
      await take('a', 'new');
      await commit(creationBy('a'));
      expect((await load())?.readState()).toEqual({ by: 'a' });
      await take('b', 'existing');
    });

    it('updates the saga, and gives the lease back', async () => {
      await create();
      const { stored } = await take('a', 'existing');
      await commit(updateBy('a', stored));
      expect((await load())?.readState()).toEqual({ by: 'a' });
      await take('b', 'existing');
    });

    it('completes the saga, and leaves nothing', async () => {
      await create();
      const { stored } = await take('a', 'existing');
      await commit(completionBy('a', stored));
      expect(await load()).toBeUndefined();
      await take('b', 'new');
    });

    it('still holds after its end, when nobody has taken it', async () => {
      await create();
      const { stored } = await take('a', 'existing');
      clock.pass(leaseDurationMs + 1);
      await commit(updateBy('a', stored));
      expect((await load())?.readState()).toEqual({ by: 'a' });
    });
  });

  const late = [
    ['create', 'new', (_: StoredSaga | undefined) => creationBy('late')],
    ['update', 'existing', (stored: StoredSaga | undefined) => updateBy('late', stored)],
    ['complete', 'existing', (stored: StoredSaga | undefined) => completionBy('late', stored)],
  ] as const;

  describe.each(late)('a late commit (%s) under a lease that expired', (operation, kind, writeOf) => {
    let write: SagaWrite;

    beforeEach(async () => {
      if (kind === 'existing') await create();
      const { stored } = await take('late', kind);
      write = writeOf(stored);
      clock.pass(leaseDurationMs + 1);
    });

    it('fails when somebody else has taken it', async () => {
      await take('next', kind);
      await expectConflict();
    });

    it('fails when somebody else had it, changed nothing and gave it back', async () => {
      const { lease } = await take('next', kind);
      await locks.release(orderSaga, lease, kind, meter());
      await expectConflict();
    });

    it('fails when somebody else has committed', async () => {
      const { stored } = await take('next', kind);
      await commit(kind === 'new' ? creationBy('next') : updateBy('next', stored));
      await expectConflict();
      expect((await load())?.readState()).toEqual({ by: 'next' });
    });

    it('fails when somebody else has completed the saga', async () => {
      const { stored } = await take('next', kind);
      if (kind === 'new') await commit(creationBy('next'));
      const { stored: current } = kind === 'new' ? await take('last', 'existing') : { stored };
      await commit(completionBy(kind === 'new' ? 'last' : 'next', current));
      await expectConflict();
      expect(await load()).toBeUndefined();
    });

    async function expectConflict(): Promise<void> {
      const before = await load();
      const error = await sagaboxErrorOf(commit(write));
      expect(error.code).toBe('SagaConcurrency');
      expect(error.facts).toMatchObject({ operation });
      expect((await load())?.revision).toEqual(before?.revision);
    }
  });

  describe('a commit without a lease', () => {
    it('of an update wins over the holder of one, whose commit then fails', async () => {
      await create();
      const { stored } = await take('holder', 'existing');
      await commit(updateBy(undefined, stored));
      const error = await sagaboxErrorOf(commit(updateBy('holder', stored)));
      expect(error.code).toBe('SagaConcurrency');
      expect((await load())?.readState()).toEqual({ by: undefined });
      await take('next', 'existing');
    });

    it('of a creation wins over the holder of a lock, whose commit and release then change nothing', async () => {
      const { lease } = await take('holder', 'new');
      await commit(creationBy());
      expect((await sagaboxErrorOf(commit(creationBy('holder')))).code).toBe('SagaConcurrency');
      await locks.release(orderSaga, lease, 'new', meter());
      expect((await load())?.readState()).toEqual({ by: undefined });
    });
  });

  describe('two holders whose clocks differ', () => {
    it.each([2000, -2000])('by %i ms never both commit from one version', async (skewMs) => {
      await create();
      const others = subject.locks(clock.skewed(skewMs));
      const first = await take('a', 'existing');
      // At every moment around the end of the first lease.
      for (const passMs of [0, leaseDurationMs - 2001, 1, 1999, 1, 1, 2000]) {
        clock.pass(passMs);
        const lease = leaseOf('b');
        const result = await others.tryAcquire(orderSaga, lease, 'existing', meter());
        if (result.outcome !== 'acquired') continue;
        const ends = await Promise.allSettled([
          commit(updateBy('a', first.stored)),
          commit(updateBy('b', result.stored)),
        ]);
        expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
        expect((await load())?.revision.version).toBe(2);
        return;
      }
      throw new Error('The lease was never given');
    });
  });
}

function storedOf(result: AcquireOutcome): StoredSaga | undefined {
  return result.outcome === 'acquired' ? result.stored : undefined;
}
