import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SagaWrite, StoredSaga } from '../../lib/saga/saga-state.ts';
import { orderSaga } from '../support/commits.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import {
  completionBy,
  creationBy,
  LocksKit,
  leaseDurationMs,
  meter,
  type OpenLocks,
  updateBy,
} from './locks-kit.ts';

/** What a lease means for the commits of its holder, and of others. */
export function describeLeaseCommits(open: OpenLocks): void {
  const kit = new LocksKit(open);
  const { leaseOf, take, load, commit, create } = kit;

  describe('a commit under a lease', () => {
    it.each([
      ['creates', 'new', creationBy, 'existing'],
      ['updates', 'existing', updateBy, 'existing'],
      ['completes', 'existing', completionBy, 'new'],
    ] as const)('%s the saga, and gives the lease back', async (_what, kind, writeOf, kindAfter) => {
      if (kind === 'existing') await create();
      const { stored } = await take('a', kind);
      await commit(writeOf('a', stored));
      expect((await load())?.readState()).toEqual(kindAfter === 'existing' ? { by: 'a' } : undefined);
      await take('b', kindAfter);
    });

    it('still holds after its end, when nobody has taken it', async () => {
      await create();
      const { stored } = await take('a', 'existing');
      kit.clock.pass(leaseDurationMs + 1);
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
      kit.clock.pass(leaseDurationMs + 1);
    });

    it('fails when somebody else has taken it', async () => {
      await take('next', kind);
      await expectConflict();
    });

    it('fails when somebody else had it, changed nothing and gave it back', async () => {
      const { lease } = await take('next', kind);
      await kit.locks.release(orderSaga, lease, kind, meter());
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
      expect(await codeOf(commit(updateBy('holder', stored)))).toBe('SagaConcurrency');
      expect((await load())?.readState()).toEqual({ by: undefined });
      await take('next', 'existing');
    });

    it('of a creation wins over the holder of a lock, whose commit and release then change nothing', async () => {
      const { lease } = await take('holder', 'new');
      await commit(creationBy());
      expect(await codeOf(commit(creationBy('holder')))).toBe('SagaConcurrency');
      await kit.locks.release(orderSaga, lease, 'new', meter());
      expect((await load())?.readState()).toEqual({ by: undefined });
    });
  });

  describe('two holders whose clocks differ', () => {
    it.each([2000, -2000])('by %i ms never both commit from one version', async (skewMs) => {
      await create();
      const others = kit.subject.locks(kit.clock.skewed(skewMs));
      const first = await take('a', 'existing');
      // At every moment around the end of the first lease.
      for (const passMs of [0, leaseDurationMs - 2001, 1, 1999, 1, 1, 2000]) {
        kit.clock.pass(passMs);
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
