import { describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import type { SagaStateWrite } from '../../lib/saga/saga-state.ts';
import { commitOf, orderSaga, outboxWrite, storedRecord, userPut, userPuts } from '../support/commits.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import type { ContractSubject, OpenSubject } from './ports-contract.ts';

const duplicate = outboxWrite('seen', [outgoingMessage({ id: 'of the duplicate' })]);
const fresh = outboxWrite('new', [outgoingMessage()]);

/** A saga at version 2 and a stored record of the message 'seen'. */
async function withHistory(subject: ContractSubject): Promise<void> {
  const { committer } = subject.ports('orders');
  await committer.commit(sagaCreation({ step: 1 }));
  await committer.commit(sagaUpdate({ step: 2 }, 1));
  await committer.commit(storedRecord('seen', [outgoingMessage({ id: 'first' })]));
}

async function everything(subject: ContractSubject): Promise<unknown> {
  const { sagas, outbox } = subject.ports('orders');
  const saga = await sagas.load(orderSaga);
  const records = [];
  for (const messageId of ['seen', 'new']) records.push(await outbox.find(messageId));
  return {
    version: saga?.revision.version,
    state: saga?.readState(),
    records,
    userKeys: await subject.committedUserKeys(),
  };
}

const sagaWrites = {
  current: sagaUpdate({ step: 'lost' }, 2).saga,
  stale: sagaUpdate({ step: 'lost' }, 1).saga,
  completion: sagaCompletion(2).saga,
  creation: sagaCreation({ step: 'lost' }, { name: 'OrderSaga', id: 'other' }).saga,
};

const { current, stale, completion, creation } = sagaWrites;
const refused: [name: string, parts: Partial<Commit>, code: string][] = [
  ['a duplicate record beside an update', { saga: current, outbox: duplicate }, 'DuplicateMessage'],
  ['a duplicate record beside a completion', { saga: completion, outbox: duplicate }, 'DuplicateMessage'],
  ['a duplicate record beside a saga conflict', { saga: stale, outbox: duplicate }, 'DuplicateMessage'],
  ['a duplicate record beside user writes', { outbox: duplicate }, 'DuplicateMessage'],
  ['a saga conflict beside a new record', { saga: stale, outbox: fresh }, 'SagaConcurrency'],
  ['a saga conflict beside user writes', { saga: stale }, 'SagaConcurrency'],
];

export function describeAtomicity(open: OpenSubject): void {
  describe('a commit', () => {
    it.each(refused)('writes nothing at all for %s', async (_name, parts, code) => {
      const subject = await open();
      await withHistory(subject);
      const before = await everything(subject);

      const commit = commitOf({ ...parts, transactionItems: [userPut(subject.userTable, 'USER#lost')] });
      const error = await sagaboxErrorOf(subject.ports('orders').committer.commit(commit));

      expect(error.code).toBe(code);
      expect(await everything(subject)).toStrictEqual(before);
    });

    it('does not create a saga for a duplicate', async () => {
      const subject = await open();
      await withHistory(subject);
      const { committer, sagas } = subject.ports('orders');
      const commit = commitOf({ saga: creation, outbox: duplicate });
      expect(await codeOf(committer.commit(commit))).toBe('DuplicateMessage');
      expect(await sagas.load({ name: 'OrderSaga', id: 'other' })).toBeUndefined();
    });

    it('writes the saga, the record and the user writes together', async () => {
      const subject = await open();
      await withHistory(subject);
      const commit = commitOf({
        saga: sagaUpdate({ step: 3 }, 2).saga,
        outbox: fresh,
        transactionItems: [userPut(subject.userTable, 'USER#a'), userPut(subject.userTable, 'USER#b')],
      });
      await subject.ports('orders').committer.commit(commit);
      expect(await everything(subject)).toMatchObject({
        version: 3,
        state: { step: 3 },
        records: [{ dispatched: false }, { dispatched: false, operations: [{ id: 'out-1' }] }],
        userKeys: ['USER#a', 'USER#b'],
      });
    });

    const following = (id: string, key: string, subject: ContractSubject) => ({
      outbox: outboxWrite(id, []),
      transactionItems: [userPut(subject.userTable, key)],
      meter: new CapacityMeter(),
    });

    it('writes what several messages of a saga did together, and a version for each', async () => {
      const subject = await open();
      await withHistory(subject);
      const { saga } = sagaUpdate({ step: 5 }, 2);
      const commit = commitOf({
        saga: { ...(saga as SagaStateWrite), changes: 3 },
        outbox: fresh,
        transactionItems: [userPut(subject.userTable, 'USER#a')],
        following: [following('second', 'USER#b', subject), following('third', 'USER#c', subject)],
      });
      await subject.ports('orders').committer.commit(commit);
      expect(await everything(subject)).toMatchObject({
        version: 5,
        state: { step: 5 },
        userKeys: ['USER#a', 'USER#b', 'USER#c'],
      });
      for (const id of ['second', 'third'])
        expect(await subject.ports('orders').outbox.find(id)).toMatchObject({ dispatched: true });
    });

    it('writes nothing of several messages when one of them has a record', async () => {
      const subject = await open();
      await withHistory(subject);
      const before = await everything(subject);
      const { committer, outbox } = subject.ports('orders');
      const seen = following('seen', 'USER#b', subject);
      const commit = commitOf({ ...sagaUpdate({ step: 5 }, 2), outbox: fresh, following: [seen] });
      expect(await codeOf(committer.commit(commit))).toBe('DuplicateMessage');
      expect(await everything(subject)).toStrictEqual(before);
      expect(await outbox.find('new')).toBeUndefined();
    });

    it('reads a kept state back for the next message, a copy each time', async () => {
      const { committer } = (await open()).ports('orders');
      const kept = committer.snapshot(sagaCreation({ list: [1] }).saga as SagaStateWrite) as SagaStateWrite;
      const state = committer.readSnapshot(kept).readState() as { list: number[] };
      state.list.push(2);
      expect(committer.readSnapshot(kept).readState()).toEqual({ list: [1] });
      expect(committer.readSnapshot(kept).isSame(state)).toBe(false);
      expect(committer.readSnapshot(kept).isSame(committer.readSnapshot(kept).readState())).toBe(true);
    });

    it('completes the saga together with the record', async () => {
      const subject = await open();
      await withHistory(subject);
      const commit = commitOf({ saga: sagaCompletion(2).saga, outbox: fresh });
      await subject.ports('orders').committer.commit(commit);
      expect(await everything(subject)).toMatchObject({
        version: undefined,
        records: [{}, { dispatched: false }],
      });
    });

    it.each([1, 2])('can be of %i user writes only', async (count) => {
      const subject = await open();
      const commit = commitOf({ transactionItems: userPuts(subject.userTable, count) });
      await subject.ports('orders').committer.commit(commit);
      expect(await subject.committedUserKeys()).toEqual(['USER#0', 'USER#1'].slice(0, count));
    });

    it('can be empty', async () => {
      const subject = await open();
      await subject.ports('orders').committer.commit(commitOf({}));
      expect(await subject.committedUserKeys()).toEqual([]);
    });

    const withSaga = { saga: creation };
    const withRecord = { outbox: outboxWrite('new', [outgoingMessage()]) };
    // Three chunks and the record itself.
    const withChunks = { outbox: outboxWrite('new', operationsOfSize(3 * 350 * 1024, 'x', 'new')) };
    it.each([
      ['alone', {}, 0],
      ['beside a saga', withSaga, 1],
      ['beside a saga and a record', { ...withSaga, ...withRecord }, 2],
      ['beside a record with three chunks', withChunks, 4],
    ])('takes 99 and 100 writes, and refuses 101: user writes %s', async (_name, parts, ownWrites) => {
      for (const writes of [99, 100]) {
        const subject = await open();
        const transactionItems = userPuts(subject.userTable, writes - ownWrites);
        const commit = commitOf({ ...parts, transactionItems });
        await subject.ports('orders').committer.commit(commit);
        expect(await subject.committedUserKeys()).toHaveLength(writes - ownWrites);
      }

      const subject = await open();
      const transactionItems = userPuts(subject.userTable, 101 - ownWrites);
      const commit = commitOf({ ...parts, transactionItems });
      const error = await sagaboxErrorOf(subject.ports('orders').committer.commit(commit));
      expect(error.code).toBe('TransactionLimit');
      expect(error.facts).toMatchObject({ actual: 101, maximum: 100 });
      expect(error.message).toContain(
        `101 writes (${101 - ownWrites} added by the handler, ${ownWrites} by sagabox) exceed the 100`,
      );
      expect(await subject.committedUserKeys()).toEqual([]);
    });
  });
}
