import { expect, it } from '@jest/globals';
import { complete } from '../../lib/pipeline/complete.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { errorOf } from '../support/error-of.ts';
import { MemoryFlow } from '../support/memory-flow.ts';

async function opened() {
  const logged: unknown[] = [];
  const error = (message: string, facts?: Record<string, unknown>) =>
    void logged.push([message, facts?.error, facts?.messageId]);
  const subject = new MemoryFlow({ logger: { ...silentLogger, error } });
  return { subject, logged, transaction: await subject.open('Placed', 'm1') };
}

it('what a handler sends immediately is sent before its commit, and is in no record', async () => {
  const { subject, logged, transaction } = await opened();
  const { sent } = subject.dispatcher;
  await transaction.work.context.sendImmediately('billing', 'Progress', { percent: 10 });
  expect(sent).toMatchObject([{ destination: 'billing', type: 'Progress', body: { percent: 10 } }]);
  expect(subject.storage.records.size).toBe(0);
  await complete(transaction);
  expect([...subject.storage.records.values()]).toMatchObject([{ dispatched: true, operations: [] }]);
  expect([sent.length, logged]).toEqual([1, []]);
});

it('what a handler sends immediately has its large body stored', async () => {
  const { subject, transaction } = await opened();
  const store = async (operations: readonly object[]) =>
    operations.map((operation) => ({ ...operation, body: 'a reference' }));
  Object.assign(subject.flow.ports, { claimChecks: { store } });
  await transaction.work.context.sendImmediately('billing', 'Progress', 'large');
  expect(subject.dispatcher.sent).toMatchObject([{ body: 'a reference' }]);
});

it('a message sent immediately that fails is logged, and its handler committed all the same', async () => {
  const { subject, logged, transaction } = await opened();
  const failure = new Error('SQS is away');
  subject.dispatcher.dispatch = () => Promise.reject(failure);
  expect(await errorOf(transaction.work.context.sendImmediately('billing', 'Progress', {}))).toBe(failure);
  await complete(transaction);
  expect(logged).toMatchObject([['A message was not sent immediately', { message: 'SQS is away' }, 'm1']]);
  expect(subject.storage.sagas.size).toBe(1);
});
