import { describe, expect, it } from '@jest/globals';
import type { OpenMessage } from '../../lib/attempt/attempt.ts';
import { AttemptState } from '../../lib/pipeline/attempt-state.ts';
import { complete } from '../../lib/pipeline/complete.ts';
import { open } from '../../lib/pipeline/open.ts';
import { newDelivery } from '../support/attempts.ts';
import { errorOf, sagaboxErrorOf } from '../support/error-of.ts';
import { PessimisticFlow } from './saga/pessimistic-flow.ts';

const timeout = new Error('time is up');

/** An attempt at a message that places an order, up to where its handler runs. */
function placed() {
  const subject = new PessimisticFlow();
  const { reports } = subject;
  const state = new AttemptState(newDelivery());
  const opened = async (): Promise<OpenMessage> => {
    state.begin();
    const attempt = subject.start('Placed', 'm1');
    state.hold(attempt);
    const transaction = await open(attempt);
    if (transaction === undefined) throw new Error('There is nothing to handle');
    return transaction;
  };
  return { subject, reports, state, opened };
}

describe('an attempt that ends', () => {
  it('before the flow begins, begins it no more', async () => {
    const { state } = placed();
    await state.fail(timeout);
    expect(() => state.begin()).toThrow(timeout);
  });

  it('while the flow begins runs no handler, and gives the lease back that it got meanwhile', async () => {
    const { subject, reports, state, opened } = placed();
    const transaction = await opened();
    expect(subject.storage.leases.size).toBe(1);
    await state.fail(timeout);
    expect(await errorOf(state.enterHandler(transaction))).toBe(timeout);
    expect(subject.storage.leases.size).toBe(0);
    expect(reports[0]).toMatchObject({ outcome: 'failed', error: timeout });
  });

  it('in its handler is rolled back, and commits nothing when the handler returns all the same', async () => {
    const { subject, reports, state, opened } = placed();
    const transaction = await opened();
    await state.enterHandler(transaction);

    await state.fail(timeout);

    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error: timeout })]);
    expect(() => transaction.work.context.send('billing', 'Late', {})).toThrow('already returned');
    expect(() => transaction.draft?.saga.state).toThrow('await every promise');
    expect(() => state.startCommit()).toThrow(timeout);
  });

  it('twice is rolled back once, and whoever ends it second waits for that', async () => {
    const { subject, reports, state, opened } = placed();
    await state.enterHandler(await opened());
    const first = state.fail(timeout);
    await state.fail(new Error('another'));
    expect(subject.storage.leases.size).toBe(0);
    await first;
    expect(reports).toEqual([expect.objectContaining({ error: timeout })]);
  });

  it('before it opens its message, reads nothing', async () => {
    const { subject, state } = placed();
    state.begin();
    await state.fail(timeout);
    const { flow, received, signal } = subject.start('Placed', 'm1');
    let reads = 0;
    const find = async () => {
      reads += 1;
      return undefined;
    };
    const ports = { ...flow.ports, outbox: { ...flow.ports.outbox, find } };
    await expect(state.open({ ...flow, ports }, received, signal)).rejects.toBe(timeout);
    expect(reads).toBe(0);
  });

  it('in its commit has ended, whatever becomes of the commit', async () => {
    const { subject, state, opened } = placed();
    const transaction = await opened();
    await state.enterHandler(transaction);
    state.startCommit();
    await state.fail(timeout);
    // Its lease was given back: under it the commit is refused.
    await expect(complete(transaction)).rejects.toMatchObject({ code: 'SagaConcurrency' });
    expect(() => state.succeed()).toThrow(timeout);
    expect(subject.storage.sagas.size).toBe(0);
  });

  it('before there is anything to roll back rolls nothing back', async () => {
    const { reports, state } = placed();
    state.begin();
    await state.fail(timeout);
    expect(reports).toEqual([]);
  });

  it('after it succeeded has nothing to roll back', async () => {
    const { subject, reports, state, opened } = placed();
    const transaction = await opened();
    await state.enterHandler(transaction);
    state.startCommit();
    await complete(transaction);
    state.succeed();
    await state.fail(timeout);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled']);
    expect(subject.storage.sagas.size).toBe(1);
  });

  it('before it opens its message, behind one that succeeded, rolls that one not back', async () => {
    const { reports, state, opened } = placed();
    const transaction = await opened();
    await state.enterHandler(transaction);
    await state.complete(transaction);
    // Of another endpoint, on the same message.
    state.begin();
    expect(state.attempt).toBeUndefined();
    await state.fail(timeout);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled']);
  });
});

describe('a handler that returned', () => {
  it('without its commit is not acknowledged, and the attempt is rolled back', async () => {
    const { subject, reports, state, opened } = placed();
    await state.enterHandler(await opened());

    const error = await sagaboxErrorOf(state.assertSucceeded('m1'));

    expect(error).toMatchObject({ code: 'CommitSkipped', facts: { messageId: 'm1' } });
    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error })]);
  });

  it('after a failure that another middleware swallowed tells of that failure', async () => {
    const { state } = placed();
    await state.fail(timeout);
    expect(await sagaboxErrorOf(state.assertSucceeded('m1'))).toMatchObject({
      code: 'CommitSkipped',
      facts: { messageId: 'm1' },
      cause: timeout,
    });
  });

  it('in which no flow began is acknowledged', async () => {
    await placed().state.assertSucceeded('m1');
  });
});
