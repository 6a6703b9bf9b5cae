import { describe, expect, it } from '@jest/globals';
import { complete } from '../../../lib/pipeline/complete.ts';
import { open } from '../../../lib/pipeline/open.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { orderKey, PessimisticFlow, startableFor } from './pessimistic-flow.ts';

async function placed(locking?: ConstructorParameters<typeof PessimisticFlow>[0]): Promise<PessimisticFlow> {
  const subject = new PessimisticFlow(locking);
  const transaction = await subject.open('Placed', 'first');
  await complete(transaction);
  subject.calls.length = 0;
  return subject;
}

describe('the lease for a message', () => {
  it('is taken once, after the dedup check, and given back by the commit', async () => {
    const subject = new PessimisticFlow();
    await complete(await subject.open('Placed', 'm1'));
    expect(subject.calls).toEqual(['acquire new owner-1: acquired']);
    expect(subject.storage.leases.size).toBe(0);
    expect(subject.storage.sagas.get(orderKey)?.revision.version).toBe(1);

    expect(await open(subject.start('Placed', 'm1'))).toBeUndefined();
    expect(subject.calls).toHaveLength(1);
  });

  it('is of a saga that exists, when a message that could start it meets it; the next one expects that', async () => {
    const subject = await placed();
    await complete(await subject.open('Placed', 'm2'));
    await complete(await subject.open('Placed', 'm3'));
    expect(subject.calls.filter((call) => call.startsWith('acquire'))).toEqual([
      'acquire new owner-2: unexpected',
      'acquire existing owner-2: acquired',
      'acquire existing owner-3: acquired',
    ]);
  });

  it('is of a new saga again, after one that was expected and not there', async () => {
    const subject = await placed();
    await complete(await subject.open('Placed', 'm2'));
    const closing = await subject.open('Paid', 'm3');
    closing.draft?.saga.complete();
    await complete(closing);
    subject.calls.length = 0;

    await complete(await subject.open('Placed', 'm4'));

    expect(subject.calls).toEqual(['acquire existing owner-4: unexpected', 'acquire new owner-4: acquired']);
    expect(subject.storage.sagas.get(orderKey)?.revision.version).toBe(1);
  });

  it('is not taken by a message that finds no saga and starts none, and nothing is created', async () => {
    const subject = new PessimisticFlow();
    expect(await open(subject.start('Paid', 'm1'))).toBeUndefined();
    expect(subject.calls).toEqual(['acquire existing owner-1: unexpected']);
    expect([subject.storage.leases.size, subject.storage.sagas.size]).toEqual([0, 0]);
    expect(subject.warnings).toMatchObject([{ message: expect.stringContaining('is discarded') }]);
  });
});

it('no lease is tried for while it is not known whether the message was handled before', async () => {
  const subject = new PessimisticFlow();
  subject.flow.ports.outbox.find = () => Promise.reject(new Error('throttled'));
  expect(await errorOf(subject.open('Placed', 'm1'))).toMatchObject({ message: 'throttled' });
  expect(subject.calls).toEqual([]);
});

describe('a message that meets a lease', () => {
  it('waits until it is given back, with plain delays while leases come and go', async () => {
    const subject = await placed();
    let round = 0;
    subject.random = 0.5;
    const { clock } = subject;
    clock.sleep = async (durationMs) => {
      clock.sleepsMs.push(durationMs);
      clock.pass(durationMs);
      round += 1;
      if (round < 5) subject.lockedFor(30_000, `somebody-${round}`);
      else subject.storage.leases.clear();
    };
    subject.lockedFor(30_000);
    await subject.open('Paid', 'm2');
    expect(clock.sleepsMs).toEqual([200, 200, 200, 200, 200]);
  });

  it('asks less and less often while the same one is in the way, and right after its end', async () => {
    const subject = await placed();
    subject.lockedFor(2000);
    await subject.open('Paid', 'm2');
    // At 100, 300, 700, 1100, 1500, 1900 and 2001 ms; no delay is below the shortest.
    expect(subject.clock.sleepsMs).toEqual([100, 200, 400, 400, 400, 400, 101]);
    expect(subject.calls.at(-1)).toBe('acquire existing owner-2: acquired');
  });

  it('waits no longer once its signal is aborted, also outside of a batch', async () => {
    const subject = await placed();
    subject.lockedFor(30_000);
    const controller = new AbortController();
    const timeout = new Error('time is up');
    const { clock } = subject;
    clock.sleep = async (_durationMs: number, signal?: AbortSignal) => {
      controller.abort(timeout);
      expect(signal?.aborted).toBe(true);
    };
    expect(await errorOf(subject.open('Paid', 'm2', { signal: controller.signal }))).toBe(timeout);
    expect(subject.calls).toEqual(['acquire existing owner-2: held']);
  });

  it('gives a lease back that it gets when its signal is aborted', async () => {
    const subject = await placed();
    const controller = new AbortController();
    const timeout = new Error('time is up');
    const { tryAcquire } = subject.locks;
    subject.locks.tryAcquire = async (...args) => {
      const result = await tryAcquire(...args);
      controller.abort(timeout);
      return result;
    };
    expect(await errorOf(subject.open('Paid', 'm2', { signal: controller.signal }))).toBe(timeout);
    expect(subject.calls).toEqual(['acquire existing owner-2: acquired', 'release existing owner-2']);
    expect(subject.storage.leases.size).toBe(0);
  });

  it('tells of each wait', async () => {
    const subject = await placed();
    subject.lockedFor(150);
    await subject.open('Paid', 'm2');
    const told = { type: 'lockWait', delayMs: 100, messageId: 'm2', sagaId: '7' };
    expect(subject.events).toMatchObject([1, 2].map((attempts) => ({ ...told, attempts })));
  });

  it('adds how long it waited to a metric, also when it gives up; not when it did not wait', async () => {
    const waited: unknown[] = [];
    const addMetric = (...metric: unknown[]) => {
      if (metric[0] === 'SagaLockWaitDuration') waited.push(metric);
    };
    const subject = await placed({ leaseAcquisitionTimeout: { seconds: 1 } });
    subject.flow = { ...subject.flow, hooks: { ...subject.flow.hooks, metrics: { addMetric } } };
    await complete(await subject.open('Paid', 'm2'));
    expect(waited).toEqual([]);
    subject.lockedFor(150);
    await complete(await subject.open('Paid', 'm3'));
    subject.lockedFor(60_000);
    await errorOf(subject.open('Paid', 'm4'));
    expect(waited).toEqual([
      ['SagaLockWaitDuration', 'Milliseconds', 200],
      ['SagaLockWaitDuration', 'Milliseconds', 1000],
    ]);
  });

  it('gives up when the acquisition timeout is over, and says how long and how often it tried', async () => {
    const subject = await placed({ leaseAcquisitionTimeout: { seconds: 1 } });
    subject.lockedFor(60_000);
    const error = await sagaboxErrorOf(subject.open('Paid', 'm2'));
    expect(error.code).toBe('LockTimeout');
    expect(error.retryable).toBe(true);
    expect(subject.clock.sleepsMs).toEqual([100, 200, 400, 300]);
    expect(error.facts).toEqual({ sagaName: 'Order', sagaId: '7', attempts: 5, waitedMs: 1000 });
    expect(error.message).toContain('5 attempts in 1000 ms');
    // There is nothing to give back, which would cost a write.
    expect(subject.calls).toEqual(Array(5).fill('acquire existing owner-2: held'));
    expect(subject.storage.leases.get(orderKey)?.owner).toBe('somebody');
  });

  it.each([
    [1000, 10, 5, 1000],
    [99, 10, 1, 0],
    [0, 10, 1, 0],
    [-5000, 10, 1, 0],
    [900_000, 1, 5, 1000],
  ])(
    'gives up with %i ms left, and %i s to acquire, after %i attempts in %i ms',
    async (leftMs, seconds, attempts, waitedMs) => {
      const subject = await placed({ leaseAcquisitionTimeout: { seconds } });
      subject.lockedFor(60_000);
      const error = await sagaboxErrorOf(subject.open('Paid', 'm2', startableFor(leftMs)));
      expect(error.facts).toMatchObject({ attempts, waitedMs });
    },
  );

  it('on a saga that is being started waits, and then meets the saga', async () => {
    const subject = new PessimisticFlow();
    const first = await subject.open('Placed', 'm1');
    const { clock } = subject;
    clock.sleep = async (durationMs) => {
      clock.pass(durationMs);
      await complete(first);
    };
    const second = await subject.open('Placed', 'm2');
    expect(second.draft?.saga.isNew).toBe(false);
    expect(subject.calls).toEqual([
      'acquire new owner-1: acquired',
      'acquire new owner-2: held',
      'acquire new owner-2: unexpected',
      'acquire existing owner-2: acquired',
    ]);
  });

  it('gives back, at the end of its time, what a try may have taken that DynamoDB seemed to refuse', async () => {
    const subject = new PessimisticFlow({ leaseAcquisitionTimeout: { seconds: 1 } });
    const cause = new Error('throttled');
    subject.locks.tryAcquire = async () => ({ outcome: 'held', until: undefined, cause });
    const error = await sagaboxErrorOf(subject.open('Placed', 'm1'));
    expect(error.code).toBe('LockTimeout');
    expect(error.cause).toBe(cause);
    expect(subject.calls).toEqual(['release new owner-1']);
  });

  it('does not hurry while others create and complete the saga again and again', async () => {
    const subject = new PessimisticFlow({ leaseAcquisitionTimeout: { seconds: 1 } });
    subject.locks.tryAcquire = async () => ({ outcome: 'unexpected' });
    const error = await sagaboxErrorOf(subject.open('Placed', 'm1'));
    expect(error.code).toBe('LockTimeout');
    expect(subject.clock.sleepsMs).toEqual(Array(10).fill(100));
    expect(error.facts).toMatchObject({ attempts: 12 });
  });
});

describe('an attempt at a lease that fails', () => {
  it.each([
    ['Placed', 'new'],
    ['Paid', 'existing'],
  ])('of a %s message gives back what it may have taken (%s)', async (type, expected) => {
    const subject = type === 'Paid' ? await placed() : new PessimisticFlow();
    const { tryAcquire } = subject.locks;
    subject.locks.tryAcquire = async (...args) => {
      await tryAcquire(...args);
      throw new Error('no answer');
    };
    expect(await errorOf(subject.open(type, 'm2'))).toMatchObject({ message: 'no answer' });
    expect(subject.calls.at(-1)).toMatch(`release ${expected} owner-`);
    expect(subject.storage.leases.size).toBe(0);
  });

  it('is not masked by a release that fails too, which is logged', async () => {
    const subject = new PessimisticFlow();
    subject.locks.tryAcquire = () => Promise.reject(new Error('no answer'));
    subject.locks.release = () => Promise.reject(new Error('no answer either'));
    expect(await errorOf(subject.open('Placed', 'm1'))).toMatchObject({ message: 'no answer' });
    expect(subject.warnings).toMatchObject([
      { message: expect.stringContaining('was not released'), error: { message: 'no answer either' } },
    ]);
  });
});
