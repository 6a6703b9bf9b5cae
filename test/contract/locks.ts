import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, orderSaga } from '../support/commits.ts';
import { LocksKit, leaseDurationMs, meter, type OpenLocks, storedOf } from './locks-kit.ts';

/** What every implementation of SagaLocks does. */
export function describeLocks(open: OpenLocks): void {
  const kit = new LocksKit(open);
  const { leaseOf, acquire, take, load, create } = kit;

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
      kit.clock.pass(leaseDurationMs);
      expect(await acquire(leaseOf('b'), kind)).toEqual({ outcome: 'held', until: lease.until });
    });

    it.each(['existing', 'new'] as const)('(%s) is given again after its end', async (kind) => {
      if (kind === 'existing') await create();
      await take('a', kind);
      kit.clock.pass(leaseDurationMs + 1);
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
      kit.clock.pass(20_000);
      const renewed = leaseOf(lease.owner);
      expect(await kit.locks.renew(orderSaga, renewed, meter())).toBe(true);
      kit.clock.pass(leaseDurationMs);
      expect(await acquire(leaseOf('b'), kind)).toEqual({ outcome: 'held', until: renewed.until });
    });

    it('holds after its end too, while nobody has taken it', async () => {
      const { lease } = await take('a', kind);
      kit.clock.pass(leaseDurationMs + 1);
      expect(await kit.locks.renew(orderSaga, leaseOf(lease.owner), meter())).toBe(true);
      expect((await acquire(leaseOf('b'), kind)).outcome).toBe('held');
    });

    it('fails for one that somebody else has taken', async () => {
      const first = await take('a', kind);
      kit.clock.pass(leaseDurationMs + 1);
      const second = await take('b', kind);
      expect(await kit.locks.renew(orderSaga, leaseOf(first.lease.owner), meter())).toBe(false);
      expect(await acquire(leaseOf('c'), kind)).toEqual({ outcome: 'held', until: second.lease.until });
    });

    it('fails for one that was given back, and locks nothing', async () => {
      const { lease } = await take('a', kind);
      await kit.locks.release(orderSaga, lease, kind, meter());
      expect(await kit.locks.renew(orderSaga, leaseOf('a'), meter())).toBe(false);
      await take('b', kind);
    });
  });

  describe.each(['existing', 'new'] as const)('the release of a lease (%s)', (kind) => {
    beforeEach(async () => {
      if (kind === 'existing') await create();
    });

    it('lets the next one in at once', async () => {
      const { lease } = await take('a', kind);
      await kit.locks.release(orderSaga, lease, kind, meter());
      const { stored } = await take('b', kind);
      expect(stored?.readState()).toEqual(kind === 'existing' ? { step: 1 } : undefined);
    });

    it('does nothing when somebody else has taken it', async () => {
      const first = await take('a', kind);
      kit.clock.pass(leaseDurationMs + 1);
      const second = await take('b', kind);
      await kit.locks.release(orderSaga, first.lease, kind, meter());
      expect(await acquire(leaseOf('c'), kind)).toEqual({ outcome: 'held', until: second.lease.until });
    });

    it('does nothing the second time', async () => {
      const { lease } = await take('a', kind);
      await kit.locks.release(orderSaga, lease, kind, meter());
      await kit.locks.release(orderSaga, lease, kind, meter());
      expect((await load())?.readState()).toEqual(kind === 'existing' ? { step: 1 } : undefined);
    });
  });
}
