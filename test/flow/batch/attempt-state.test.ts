import { describe, expect, it } from '@jest/globals';
import type { Handling, MessageReport } from '../../../lib/flow/attempt.ts';
import { AttemptState } from '../../../lib/flow/batch/attempt-state.ts';
import { begin } from '../../../lib/flow/begin.ts';
import { complete } from '../../../lib/flow/complete.ts';
import { newDelivery } from '../../support/attempts.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { PessimisticFlow } from '../saga/pessimistic-flow.ts';

const timeout = new Error('time is up');

/** An attempt at a message that places an order, up to where its handler runs. */
function placed() {
  const subject = new PessimisticFlow();
  const reports: MessageReport[] = [];
  subject.flow.hooks.onMessage = (report) => void reports.push(report);
  const state = new AttemptState(newDelivery());
  const open = async (): Promise<Handling> => {
    state.begin('m1');
    const attempt = subject.start('Placed', 'm1');
    state.started(attempt);
    const handling = await begin(attempt);
    if (handling === undefined) throw new Error('There is nothing to handle');
    return handling;
  };
  return { subject, reports, state, open };
}

describe('an attempt that ends', () => {
  it('before the flow begins, begins it no more', async () => {
    const { state } = placed();
    await state.end(timeout);
    expect(() => state.begin('m1')).toThrow(timeout);
  });

  it('while the flow begins runs no handler, and gives the lease back that it got meanwhile', async () => {
    const { subject, reports, state, open } = placed();
    const handling = await open();
    expect(subject.storage.leases.size).toBe(1);
    await state.end(timeout);
    expect(await errorOf(state.open(handling))).toBe(timeout);
    expect(subject.storage.leases.size).toBe(0);
    expect(reports[0]).toMatchObject({ outcome: 'failed', error: timeout });
  });

  it('in its handler is abandoned, and commits nothing when the handler returns all the same', async () => {
    const { subject, reports, state, open } = placed();
    const handling = await open();
    await state.open(handling);

    await state.end(timeout);

    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error: timeout })]);
    expect(() => handling.work.context.send('billing', 'Late', {})).toThrow('already returned');
    expect(() => handling.draft?.saga.state).toThrow('await every promise');
    expect(() => state.commit()).toThrow(timeout);
  });

  it('in its commit has ended, whatever becomes of the commit', async () => {
    const { subject, state, open } = placed();
    const handling = await open();
    await state.open(handling);
    state.commit();
    await state.end(timeout);
    // Its lease was given back: under it the commit is refused.
    await expect(complete(handling)).rejects.toMatchObject({ code: 'SagaConcurrency' });
    expect(() => state.complete()).toThrow(timeout);
    expect(subject.storage.sagas.size).toBe(0);
  });

  it('more than once is abandoned once', async () => {
    const { reports, state, open } = placed();
    await state.open(await open());
    await state.end(timeout);
    await state.end(new Error('too late'));
    expect(reports).toEqual([expect.objectContaining({ error: timeout })]);
  });

  it('before there is anything to abandon abandons nothing', async () => {
    const { reports, state } = placed();
    state.begin('m1');
    await state.end(timeout);
    expect(reports).toEqual([]);
  });

  it('after it is complete has nothing to abandon', async () => {
    const { subject, reports, state, open } = placed();
    const handling = await open();
    await state.open(handling);
    state.commit();
    await complete(handling);
    state.complete();
    await state.end(timeout);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['handled']);
    expect(subject.storage.sagas.size).toBe(1);
  });
});

describe('a handler that returned', () => {
  it('without its commit is not acknowledged, and the attempt is abandoned', async () => {
    const { subject, reports, state, open } = placed();
    await state.open(await open());

    const error = await sagaboxErrorOf(state.assertComplete());

    expect(error).toMatchObject({ code: 'CommitSkipped', facts: { messageId: 'm1' } });
    expect(subject.storage.leases.size).toBe(0);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', error })]);
  });

  it('although its error was told is not acknowledged', async () => {
    const { state, open } = placed();
    await state.open(await open());
    await state.end(new Error('swallowed by another middleware'));
    expect((await sagaboxErrorOf(state.assertComplete())).code).toBe('CommitSkipped');
  });

  it('without the flow having begun is none of its business', async () => {
    await placed().state.assertComplete();
  });
});

it('a second sagaOutbox at work on one message is refused, and one behind the first is not', async () => {
  const { state } = placed();
  state.begin('m1');
  expect(() => state.begin('m1')).toThrow(expect.objectContaining({ code: 'Configuration' }));
  state.complete();
  state.begin('m1');
});
