import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { sagaKey } from '../../lib/dynamodb/keys.ts';
import { newLease } from '../../lib/kernel/lease.ts';
import { embeddedItem } from '../../lib/outbox/embedded/embedded-item.ts';
import { findInItem } from '../../lib/outbox/embedded/find-in-item.ts';
import type { RecordSagaItem } from '../../lib/outbox/embedded/record-saga-item.ts';
import type { OutboxRecord } from '../../lib/outbox/record.ts';
import { sentBitmap } from '../../lib/outbox/sent-bitmap.ts';
import type { ExpectedSaga } from '../../lib/saga/saga-locks.ts';
import type { OpenedSaga } from '../../lib/saga/saga-state.ts';
import { MemoryStorage } from '../../lib/testing/memory/storage.ts';
import { at } from '../support/commits.ts';
import {
  type CommittedMessage,
  commitToOpened,
  commitToSaga,
  embeddedSaga,
  entryOf,
  openEmbedded,
} from '../support/embedded-commits.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { codeOf } from '../support/error-of.ts';
import { numberedMessages } from '../support/outgoing-messages.ts';
import {
  createStreamedTable,
  DEDUPLICATION_SECONDS,
  dynamoDBRelay,
  memoryRelay,
  type RelayStores,
} from '../support/relay-subject.ts';

const client = dynamoDBClient();
const meter = new CapacityMeter();

const onDynamoDB = async () =>
  dynamoDBRelay({ client, tableName: await createStreamedTable(client), strategy: 'scan' });

/** What every implementation of SagaStore, EmbeddedSagas and Committer does with the item of an embedded outbox. */
describe.each<[string, () => Promise<RelayStores>]>([
  ['in memory', async () => memoryRelay(new MemoryStorage())],
  ['on DynamoDB', onDynamoDB],
])('a saga with an embedded outbox %s', (_where, open) => {
  let stores: RelayStores;
  beforeEach(async () => {
    stores = await open();
  });

  const handle = async (messageId: string, count = 1, others: Partial<CommittedMessage> = {}) =>
    await commitToSaga(stores, { messageId, operations: numberedMessages(count), ...others });
  const read = async () => await openEmbedded(stores);
  const readItem = async () => embeddedItem((await read()).item);
  const find = async (messageId: string) =>
    await stores.embedded.find(await entryOf(stores, messageId), meter);
  const found = async (messageId: string): Promise<OutboxRecord> => {
    const record = await find(messageId);
    if (record === undefined) throw new Error(`Nothing is pending of ${messageId}`);
    return record;
  };
  const mark = async (record: OutboxRecord) => await stores.embedded.markDispatched(record, at, meter);
  const pendingIds = async () =>
    [...((await readItem())?.pending.values() ?? [])].map(({ messageId }) => messageId).toSorted();
  const isKnown = async (messageId: string) =>
    findInItem(embeddedSaga(), await readItem(), { id: messageId, type: 'OrderPlaced' }, at) !== undefined;

  it('is given a salt of 8 bytes, never the same again', () => {
    const salts = Array.from({ length: 1000 }, () => Buffer.from(stores.embedded.newSalt()).toString('hex'));
    expect(salts.every((salt) => salt.length === 16)).toBe(true);
    expect(new Set(salts).size).toBe(salts.length);
  });

  it('is not there at first, and holds nothing of a message', async () => {
    expect(await read()).toMatchObject({ stored: undefined, item: undefined });
    expect(await find('m1')).toBeUndefined();
  });

  it('has its state, the message and what it sends after one commit', async () => {
    await handle('m1', 2);
    const { stored, item } = await read();
    expect(stored?.readState()).toEqual({ handled: 'm1' });
    expect(item).toMatchObject({
      ...{ schema: 'embedded', endpoint: 'orders', isTombstone: false, isOverflowed: false },
      revision: { version: 1, commitId: stored?.revision.commitId },
    });
    expect(await isKnown('m1')).toBe(true);
    expect(await isKnown('m2')).toBe(false);
    const record = await found('m1');
    expect(record).toMatchObject({ messageId: 'm1', dispatched: false, storedAt: at });
    expect(record.operations).toStrictEqual(numberedMessages(2));
  });

  it('has a message under another key than another item has it', async () => {
    const other = { name: 'Embedded', id: 'another' };
    for (const saga of [embeddedSaga(), other]) await handle('m1', 1, { saga });
    const [one, another] = [await entryOf(stores, 'm1'), await entryOf(stores, 'm1', other)];
    expect(one.sagaItem?.key).not.toBe(another.sagaItem?.key);
    expect((await stores.embedded.find(one, meter))?.messageId).toBe('m1');
    const { partition } = sagaKey(other);
    const mixed = { messageId: 'm1', sagaItem: { partition, key: one.sagaItem?.key ?? '' } };
    expect(await stores.embedded.find(mixed, meter)).toBeUndefined();
  });

  it('has nothing pending of a message that sends nothing, and knows it', async () => {
    await handle('m1', 0);
    expect(await pendingIds()).toEqual([]);
    expect(await isKnown('m1')).toBe(true);
  });

  it('loses with a mark what is pending of that message alone, and still knows both', async () => {
    await handle('m1');
    await handle('m2');
    await mark(await found('m1'));
    expect(await find('m1')).toBeUndefined();
    expect(await pendingIds()).toEqual(['m2']);
    expect([await isKnown('m1'), await isKnown('m2')]).toEqual([true, true]);
  });

  it('is marked as often as one likes', async () => {
    await handle('m1');
    const record = await found('m1');
    await mark(record);
    await mark(record);
    expect(await pendingIds()).toEqual([]);
    expect((await read()).item?.revision.version).toBe(1);
  });

  it('takes marks of several messages at once', async () => {
    for (const id of ['m1', 'm2', 'm3']) await handle(id);
    await Promise.all([mark(await found('m1')), mark(await found('m3'))]);
    expect(await pendingIds()).toEqual(['m2']);
  });

  it('takes a commit that was read before a mark, and what was marked stays marked', async () => {
    await handle('m1');
    const opened = await read();
    await mark(await found('m1'));
    await stores.committer.commit(
      commitToOpened(opened, { messageId: 'm2', operations: numberedMessages(1) }),
      meter,
    );
    expect(await pendingIds()).toEqual(['m2']);
  });

  it('takes a mark that was read before a commit, and what was committed stays pending', async () => {
    await handle('m1');
    const record = await found('m1');
    await handle('m2');
    await mark(record);
    expect(await pendingIds()).toEqual(['m2']);
    expect((await read()).stored?.readState()).toEqual({ handled: 'm2' });
  });

  it.each([
    ['created', false],
    ['updated', true],
  ])(
    'refuses the second of two commits that read the same, and keeps nothing of it: %s',
    async (_how, isThere) => {
      if (isThere) await handle('m0', 0);
      const opened = await read();
      await handle('m1');
      const second = commitToOpened(opened, { messageId: 'm2', operations: numberedMessages(1) });
      expect(await codeOf(stores.committer.commit(second, meter))).toBe('SagaConcurrency');
      expect(await pendingIds()).toEqual(['m1']);
      expect(await isKnown('m2')).toBe(false);
      expect((await read()).stored?.readState()).toEqual({ handled: 'm1' });
    },
  );

  describe('under a lease', () => {
    const lease = (owner: string, from = at) => newLease(owner, from, 30_000);
    const take = async (owner: string, expected: ExpectedSaga, from = at): Promise<OpenedSaga> => {
      const held = lease(owner, from);
      const acquired = await stores.locks.tryAcquire(embeddedSaga(), held, expected, meter);
      if (acquired.outcome !== 'acquired') throw new Error(`The lease is ${acquired.outcome}`);
      return { ...acquired, identity: embeddedSaga(), lease: held };
    };
    const commit = async (opened: OpenedSaga, messageId: string) =>
      await stores.committer.commit(
        commitToOpened(opened, { messageId, operations: numberedMessages(1) }),
        meter,
      );

    it('is returned by the call that takes it, and given back by the commit', async () => {
      await handle('m1');
      const opened = await take('a', 'existing');
      expect(opened.item?.pending.size).toBe(1);
      expect(opened.stored?.readState()).toEqual({ handled: 'm1' });
      expect((await stores.locks.tryAcquire(embeddedSaga(), lease('b'), 'existing', meter)).outcome).toBe(
        'held',
      );
      await commit(opened, 'm2');
      await take('b', 'existing');
      expect(await pendingIds()).toEqual(['m1', 'm2']);
    });

    it('keeps it through a mark', async () => {
      await handle('m1');
      await take('a', 'existing');
      await mark(await found('m1'));
      expect((await stores.locks.tryAcquire(embeddedSaga(), lease('b'), 'existing', meter)).outcome).toBe(
        'held',
      );
    });

    it.each(['existing', 'new'] as const)(
      'refuses the commit of whoever has lost it: %s',
      async (expected) => {
        if (expected === 'existing') await handle('m1', 0);
        const opened = await take('a', expected);
        await stores.locks.release(embeddedSaga(), lease('a'), expected, meter);
        await take('b', expected);
        expect(await codeOf(commit(opened, 'm2'))).toBe('SagaConcurrency');
        expect(await isKnown('m2')).toBe(false);
      },
    );
  });

  describe('that has ended', () => {
    const periodMs = DEDUPLICATION_SECONDS * 1000;
    /** Items have seconds. */
    const expiryOf = async () => {
      const expiresAt = (await read()).item?.expiresAt;
      return expiresAt && Math.abs(expiresAt.getTime() - at.getTime() - periodMs) <= 1000;
    };

    it('leaves a tombstone that knows its messages, and expires when nothing is pending', async () => {
      await handle('m1', 0);
      await handle('m2', 0, { ends: true });
      const { stored, item } = await read();
      expect(stored).toBeUndefined();
      expect(item).toMatchObject({ isTombstone: true, revision: { version: 2 } });
      expect([await isKnown('m1'), await isKnown('m2')]).toEqual([true, true]);
      expect(await expiryOf()).toBe(true);
    });

    it('expires with the mark of the last message that is pending, and not before', async () => {
      await handle('m1');
      await handle('m2', 1, { ends: true });
      expect(await expiryOf()).toBeUndefined();
      await mark(await found('m1'));
      expect(await expiryOf()).toBeUndefined();
      await mark(await found('m2'));
      expect(await expiryOf()).toBe(true);
    });

    it('starts again on its tombstone, knows its messages, and does not expire', async () => {
      await handle('m1');
      await mark(await found('m1'));
      await handle('m2', 0, { ends: true });
      await handle('m3');
      const { stored, item } = await read();
      expect(stored?.readState()).toEqual({ handled: 'm3' });
      expect(item).toMatchObject({ isTombstone: false, revision: { version: 3 } });
      expect([await isKnown('m1'), await isKnown('m2')]).toEqual([true, true]);
      expect(await pendingIds()).toEqual(['m3']);
      expect(item).not.toHaveProperty('expiresAt');
    });

    it('does not expire by a mark that is left from before it started again', async () => {
      await handle('m1');
      await handle('m2', 0, { ends: true });
      const record = await found('m1');
      await handle('m3', 0);
      await mark(record);
      expect(await pendingIds()).toEqual([]);
      expect((await read()).item).not.toHaveProperty('expiresAt');
      expect((await read()).stored?.readState()).toEqual({ handled: 'm3' });
    });
  });

  describe('keeps what is sent of a message', () => {
    const sentOf = (...indexes: number[]) =>
      sentBitmap(Array.from({ length: 10 }, (_each, index) => indexes.includes(index)));

    it('of two writers that do not know of each other', async () => {
      await handle('m1', 10);
      const record = await found('m1');
      expect(await stores.embedded.saveProgress(record, sentOf(0), meter)).toEqual(sentOf(0));
      expect(await stores.embedded.saveProgress(record, sentOf(9), meter)).toEqual(sentOf(0, 9));
      const { sent, operations } = await found('m1');
      expect(Buffer.from(sent ?? [])).toEqual(Buffer.from(sentOf(0, 9)));
      expect(operations).toStrictEqual(numberedMessages(10));
    });

    it('not once it is marked, and makes no item', async () => {
      await handle('m1', 10);
      const record = await found('m1');
      await mark(record);
      expect(await stores.embedded.saveProgress(record, sentOf(3), meter)).toEqual(sentOf(3));
      expect(await pendingIds()).toEqual([]);
    });

    it('of no message whose saga is gone, which neither that nor a mark brings back', async () => {
      await handle('m1', 10);
      const { sagaItem, ...record } = await found('m1');
      const gone = { name: 'Embedded', id: 'gone' };
      const left = { ...record, sagaItem: { ...(sagaItem as RecordSagaItem), ...sagaKey(gone) } };
      await stores.embedded.saveProgress(left, sentOf(3), meter);
      await mark(left);
      expect((await openEmbedded(stores, gone)).item).toBeUndefined();
      expect(await stores.embedded.find(left, meter)).toBeUndefined();
    });
  });
});
