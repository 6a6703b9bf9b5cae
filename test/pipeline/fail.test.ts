import { describe, expect, it } from '@jest/globals';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { fail } from '../../lib/pipeline/fail.ts';
import { sagaFacts } from '../support/message-facts.ts';
import { PessimisticFlow } from './saga/pessimistic-flow.ts';

const bug = new Error('a bug');
const facts = { sagaName: 'Order', sagaId: '7', operation: 'update' } as const;
const conflict = new SagaboxError('SagaConcurrency', facts);

describe('an attempt that fails', () => {
  it('before its saga is known is reported without one', async () => {
    const subject = new PessimisticFlow();
    const { reports } = subject;
    await fail(subject.start('Placed', 'm1'), bug);
    expect(reports).toEqual([expect.objectContaining({ outcome: 'failed', messageId: 'm1', error: bug })]);
    expect(reports[0]).not.toHaveProperty('sagaName');
    expect(subject.events).toEqual([]);
  });

  it('at an endpoint without sagas is reported all the same', async () => {
    const subject = new PessimisticFlow();
    subject.flow = { ...subject.flow, leases: undefined, saga: undefined };
    const transaction = await subject.open('Placed', 'm1');
    await fail(transaction, bug);
    expect(subject.reports).toEqual([expect.objectContaining({ outcome: 'failed', error: bug })]);
    expect(() => transaction.work.context.send('billing', 'Late', {})).toThrow('already returned');
  });

  it('waits for what its handler sent immediately', async () => {
    const subject = new PessimisticFlow();
    const transaction = await subject.open('Placed', 'm1');
    const sent = Promise.withResolvers<void>();
    subject.dispatcher.dispatch = async () => await sent.promise;
    void transaction.work.context.sendImmediately('billing', 'Charge', {});
    const rolledBack = fail(transaction, bug);
    await new Promise(setImmediate);
    expect(subject.reports).toEqual([]);
    sent.resolve();
    await rolledBack;
    expect(subject.reports).toHaveLength(1);
  });

  it('late leaves the next attempt its own result', async () => {
    const subject = new PessimisticFlow();
    const transaction = await subject.open('Placed', 'm1');
    const { delivery } = transaction;
    const own = delivery.result;
    own.noteStateMayBeOld(async () => false);
    const sent = Promise.withResolvers<void>();
    subject.dispatcher.dispatch = async () => await sent.promise;
    void transaction.work.context.sendImmediately('billing', 'Charge', {});
    const rolledBack = fail(transaction, bug);
    delivery.beginAttempt(false);
    sent.resolve();
    await rolledBack;
    expect([own.reportFailure, delivery.result.reportFailure]).toEqual([expect.any(Function), undefined]);
    expect(subject.reports).toEqual([]);
  });

  it('by a conflict tells of it, with its saga', async () => {
    const subject = new PessimisticFlow();
    await fail(await subject.open('Placed', 'm1'), conflict);
    expect(subject.events).toEqual([{ type: 'conflict', operation: 'update', ...sagaFacts }]);
    expect(subject.reports).toEqual([
      expect.objectContaining({ outcome: 'failed', error: conflict, sagaId: '7' }),
    ]);
  });

  it.each([
    bug,
    undefined,
    new SagaboxError('Throttled', { operation: 'PutItem', reason: 'x' }),
    // Of the user's own making.
    Object.assign(new Error('mine'), { code: 'SagaConcurrency', facts: { operation: 'update' } }),
  ])('by anything else tells of no conflict: %p', async (error) => {
    const subject = new PessimisticFlow();
    await fail(await subject.open('Placed', 'm1'), error);
    expect(subject.events).toEqual([]);
  });
});
