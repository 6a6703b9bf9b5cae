import { describe, expect, it } from '@jest/globals';
import type { Commit } from '../../lib/outbox/commit.ts';
import { orderSaga, storedRecord } from '../support/commits.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { discardOf, sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import type { OpenSubject } from './ports-contract.ts';

const created = [sagaCreation({ step: 1 })];
const updated = [...created, sagaUpdate({ step: 2 }, 1)];
const completed = [...created, sagaCompletion(1)];

async function opened(open: OpenSubject, history: readonly Commit[]) {
  const ports = (await open()).ports('orders');
  for (const commit of history) await ports.committer.commit(commit);
  return ports;
}

/** What a commit does that discards a message: it changes nothing but what deduplication knows. */
export function describeDiscards(open: OpenSubject): void {
  describe('a discard', () => {
    it.each([
      ['of an absent saga', [], undefined],
      ['of a saga that was completed', completed, undefined],
      ['of a saga that is as it was read', updated, 2],
    ])('stores an empty dispatched record, %s', async (_of, history, readVersion) => {
      const { committer, outbox, sagas } = await opened(open, history);
      const before = await sagas.load(orderSaga);
      await committer.commit(discardOf('late', readVersion));
      expect(await outbox.find('late')).toMatchObject({
        dispatched: true,
        operations: [],
      });
      const after = await sagas.load(orderSaga);
      expect([after?.revision, after?.readState()]).toEqual([before?.revision, before?.readState()]);
    });

    it.each([
      ['absent, and is there', created, undefined],
      ['at version 1, and is at version 2', updated, 1],
      ['at version 1, and is gone', completed, 1],
    ])('is refused when the saga was read %s', async (_read, history, readVersion) => {
      const { committer, outbox } = await opened(open, history);
      const error = await sagaboxErrorOf(committer.commit(discardOf('late', readVersion)));
      expect(error).toMatchObject({ code: 'SagaConcurrency', facts: { operation: 'check' } });
      expect(error.message).toContain("'OrderSaga' saga with id '42'");
      expect(await outbox.find('late')).toBeUndefined();
    });

    it('is refused when the saga was started anew since, at the same version', async () => {
      const { committer, outbox, sagas } = await opened(open, created);
      const read = (await sagas.load(orderSaga))?.revision;
      for (const commit of [sagaCompletion(1), ...created]) await committer.commit(commit);
      const discard = { ...discardOf('late', 1), saga: { kind: 'check', saga: orderSaga, read } } as const;
      const error = await sagaboxErrorOf(committer.commit(discard));
      expect(error).toMatchObject({ code: 'SagaConcurrency', facts: { operation: 'check' } });
      expect(await outbox.find('late')).toBeUndefined();
    });

    it('is refused as a duplicate when the message was committed, whatever has become of its saga', async () => {
      const { committer } = await opened(open, [...created, storedRecord('late')]);
      expect(await codeOf(committer.commit(discardOf('late', undefined)))).toBe('DuplicateMessage');
    });
  });
}
