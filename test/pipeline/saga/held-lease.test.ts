import { describe, expect, it } from '@jest/globals';
import type { OpenMessage } from '../../../lib/attempt/attempt.ts';
import { complete } from '../../../lib/pipeline/complete.ts';
import { fail } from '../../../lib/pipeline/fail.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { orderKey, PessimisticFlow } from './pessimistic-flow.ts';

/** Sleeps last until the test lets them end, or until they are aborted. */
class SteppedSleeps {
  readonly durationsMs: number[] = [];
  #wake: (() => void) | undefined;

  constructor(subject: PessimisticFlow) {
    const { clock } = subject;
    clock.sleep = async (durationMs: number, signal?: AbortSignal) => {
      this.durationsMs.push(durationMs);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = () => {
        clock.pass(durationMs);
        resolve();
      };
      signal?.addEventListener('abort', () => resolve(), { once: true });
      if (signal?.aborted) resolve();
      await promise;
    };
  }

  async step(): Promise<void> {
    this.#wake?.();
    await settled();
  }
}

/** Lets everything that waits for nothing but promises go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const leaseOf = (subject: PessimisticFlow) => subject.storage.leases.get(orderKey);

async function renewing() {
  const subject = new PessimisticFlow({ renew: true });
  const sleeps = new SteppedSleeps(subject);
  const transaction = await subject.open('Placed', 'm1');
  return { subject, sleeps, transaction };
}

describe('a lease while its handler runs', () => {
  it('is renewed three times in its duration, and so outlives it', async () => {
    const { subject, sleeps, transaction } = await renewing();
    for (let third = 0; third < 7; third += 1) await sleeps.step();
    expect(sleeps.durationsMs).toEqual(Array(8).fill(10_000));
    expect(subject.calls).toEqual(['acquire new owner-1: acquired', ...Array(7).fill('renew owner-1')]);
    const leftMs = (leaseOf(subject)?.until.getTime() ?? 0) - subject.clock.now().getTime();
    expect(leftMs).toBe(30_000);

    await complete(transaction);
    expect(subject.storage.sagas.has(orderKey)).toBe(true);
    expect(leaseOf(subject)).toBeUndefined();
  });

  it('is not renewed without the setting', async () => {
    const subject = new PessimisticFlow();
    const sleeps = new SteppedSleeps(subject);
    await complete(await subject.open('Placed', 'm1'));
    expect(sleeps.durationsMs).toEqual([]);
  });

  it.each(['commit', 'rollback'] as const)('is renewed no more from its end on (%s)', async (end) => {
    const { subject, sleeps, transaction } = await renewing();
    await endBy(end, transaction);
    await sleeps.step();
    expect(subject.calls.filter((call) => call.startsWith('renew'))).toEqual([]);
    expect(leaseOf(subject)).toBeUndefined();
  });

  it.each(['commit', 'rollback'] as const)('is not left with a renewal under way (%s)', async (end) => {
    const { subject, sleeps, transaction } = await renewing();
    const answer = Promise.withResolvers<void>();
    const { renew } = subject.locks;
    subject.locks.renew = async (...args) => {
      await answer.promise;
      return await renew(...args);
    };
    await sleeps.step();
    let ended = false;
    const ending = endBy(end, transaction).then(() => {
      ended = true;
    });
    await settled();
    expect(ended).toBe(false);
    expect(subject.storage.sagas.size).toBe(0);

    answer.resolve();
    await ending;
    expect(subject.calls).toContain('renew owner-1');
    expect(leaseOf(subject)).toBeUndefined();
  });

  it('is renewed no more when it was lost, and then fails to commit', async () => {
    const { subject, sleeps, transaction } = await renewing();
    subject.clock.pass(30_001);
    subject.lockedFor(30_000, 'somebody');
    await sleeps.step();
    await sleeps.step();
    expect(subject.calls.filter((call) => call.startsWith('renew'))).toHaveLength(1);
    expect(sleeps.durationsMs).toHaveLength(1);
    expect(subject.warnings).toEqual([
      { message: expect.stringContaining('its commit will be refused'), error: undefined },
    ]);

    const error = await sagaboxErrorOf(complete(transaction));
    expect(error.code).toBe('SagaConcurrency');
    expect(leaseOf(subject)?.owner).toBe('somebody');
  });

  it('is tried to be renewed again after a renewal that failed, which is logged', async () => {
    const { subject, sleeps, transaction } = await renewing();
    const { renew } = subject.locks;
    subject.locks.renew = () => Promise.reject(new Error('throttled'));
    await sleeps.step();
    subject.locks.renew = renew;
    await sleeps.step();
    expect(subject.warnings).toMatchObject([
      { message: 'A lease was not renewed', error: { message: 'throttled' } },
    ]);
    expect(subject.calls.at(-1)).toBe('renew owner-1');
    await complete(transaction);
  });
});

describe('a lease after its handler', () => {
  it('is released when the handler failed', async () => {
    const subject = new PessimisticFlow();
    await fail(await subject.open('Placed', 'm1'), new Error('a bug'));
    expect(subject.calls.at(-1)).toBe('release new owner-1');
    expect([subject.storage.leases.size, subject.storage.sagas.size]).toEqual([0, 0]);

    await complete(await subject.open('Placed', 'm1'));
    await fail(await subject.open('Paid', 'm2'), new Error('a bug'));
    expect(subject.calls.at(-1)).toBe('release existing owner-3');
    expect([subject.storage.leases.size, subject.storage.sagas.size]).toEqual([0, 1]);
  });

  it('that cannot be released is logged, and does not mask the failure', async () => {
    const subject = new PessimisticFlow();
    const transaction = await subject.open('Placed', 'm1');
    subject.locks.release = () => Promise.reject(new Error('throttled'));
    await fail(transaction, new Error('a bug'));
    expect(subject.warnings).toMatchObject([
      { message: 'A lease was not released, and expires by itself', error: { message: 'throttled' } },
    ]);
  });

  it.each<[string, (subject: PessimisticFlow) => Promise<void>, string, number[]]>([
    [
      'when the commit failed',
      async (subject) => {
        const transaction = await subject.open('Placed', 'm1');
        subject.flow.ports.committer.commit = () => Promise.reject(new Error('throttled'));
        await fail(transaction, await errorOf(complete(transaction)));
      },
      'release new owner-1',
      [],
    ],
    [
      'for a saga that did not change',
      async (subject) => {
        await complete(await subject.open('Placed', 'm1'));
        await complete(await subject.open('Paid', 'm2'));
      },
      'release existing owner-2',
      [1],
    ],
    [
      'for a saga that was started and completed, which leaves none',
      async (subject) => {
        const transaction = await subject.open('Placed', 'm1');
        transaction.draft?.saga.complete();
        await complete(transaction);
      },
      'release new owner-1',
      [],
    ],
  ])('is released %s', async (_when, end, release, versions) => {
    const subject = new PessimisticFlow();
    await end(subject);
    expect(subject.calls.at(-1)).toBe(release);
    expect(leaseOf(subject)).toBeUndefined();
    expect([...subject.storage.sagas.values()].map(({ revision }) => revision.version)).toEqual(versions);
  });
});

async function endBy(end: 'commit' | 'rollback', transaction: OpenMessage): Promise<void> {
  if (end === 'commit') await complete(transaction);
  else await fail(transaction, new Error('a bug'));
}
