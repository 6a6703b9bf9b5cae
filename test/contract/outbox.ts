import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '../../lib/messages/message.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import { sentBitmap } from '../../lib/outbox/sent-bitmap.ts';
import { at, commitOf, fingerprint, outboxWrite, storedRecord } from '../support/commits.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { numberedMessages, operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { discardOf, sagaCreation } from '../support/saga-writes.ts';
import type { OpenSubject } from './ports-contract.ts';

const later = new Date('2026-01-02T04:00:00.000Z');
const packedLimit = 350 * 1024;

const bodies: [string, JsonValue][] = [
  ['unicode', { 'näme 😀': 'żółć \u{10FFFF} \u2028' }],
  ['nested JSON', { a: [{ b: [[1, null, true, 'x', {}]] }] }],
  ['an empty array', []],
  ['null', null],
  ['an empty text', ''],
  ['a number', -1.5e-7],
  ['a __proto__ key', JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }')],
];

export function describeOutbox(open: OpenSubject): void {
  describe('outbox records', () => {
    it('are absent for a message that was never committed', async () => {
      const { outbox } = (await open()).ports('orders');
      expect(await outbox.find('in-1')).toBeUndefined();
    });

    it('without operations are found as dispatched', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      await committer.commit(storedRecord('in-1'));
      const record = await outbox.find('in-1');
      expect(record).toMatchObject({ messageId: 'in-1', dispatched: true, operations: [] });
    });

    it.each<[string, () => Commit]>([
      ['that waits', () => storedRecord('in-1', [outgoingMessage()])],
      ['with nothing to send', () => storedRecord('in-1')],
      ['of a discard', () => discardOf('in-1', undefined)],
    ])('%s keeps the fingerprint of its message, also once it is dispatched', async (_which, commitOfIt) => {
      const { outbox, committer } = (await open()).ports('orders');
      await committer.commit(commitOfIt());
      const record = await outbox.find('in-1');
      expect(Buffer.from(record?.fingerprint ?? [])).toEqual(fingerprint);
      if (record) await outbox.markDispatched(record, later);
      const marked = await outbox.find('in-1');
      expect(marked?.dispatched).toBe(true);
      expect(Buffer.from(marked?.fingerprint ?? [])).toEqual(fingerprint);
    });

    it.each(bodies)(
      'give back the operations that they were stored with: a body of %s',
      async (_name, body) => {
        const { outbox, committer } = (await open()).ports('orders');
        const operations = [outgoingMessage({ body })];
        await committer.commit(storedRecord('in-1', operations));
        const record = await outbox.find('in-1');
        expect(record?.dispatched).toBe(false);
        expect(JSON.stringify(record?.operations)).toBe(JSON.stringify(operations));
        expect(record?.operations).toStrictEqual(operations);
      },
    );

    it('give back every field of several operations, in order', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const operations = [
        outgoingMessage({ id: 'out-2', delaySeconds: 0 }),
        outgoingMessage({ id: 'out-1', delaySeconds: 900, headers: { trace: 'ünï' } }),
        outgoingMessage({ id: 'out-3', destination: 'shipping', messageGroupId: 'group-1', headers: {} }),
      ];
      await committer.commit(storedRecord('in-1', operations));
      expect((await outbox.find('in-1'))?.operations).toStrictEqual(operations);
    });

    it.each([
      ['as large as a record takes', packedLimit],
      ['one byte larger than a record takes', packedLimit + 1],
      ['several times as large', 3 * packedLimit + 1],
    ])('give back operations that are %s', async (_name, bytes) => {
      const { outbox, committer } = (await open()).ports('orders');
      const operations = operationsOfSize(bytes);
      await committer.commit(storedRecord('in-1', operations));
      const found = await outbox.find('in-1');
      expect(found?.operations).toStrictEqual(operations);

      if (found) await outbox.markDispatched(found, later);
      const marked = await outbox.find('in-1');
      expect(marked).toMatchObject({ dispatched: true, operations: [] });
    });

    describe('keep which operations were sent', () => {
      const sentOf = (...indexes: number[]) =>
        sentBitmap(Array.from({ length: 10 }, (_, at) => indexes.includes(at)));

      async function store() {
        const { outbox, committer } = (await open()).ports('orders');
        const record = outboxWrite('in-1', numberedMessages(10));
        await committer.commit(commitOf({ outbox: record }));
        const find = async () => await outbox.find('in-1');
        const keep = async (known: Uint8Array | undefined, sent: Uint8Array) =>
          await outbox.saveProgress({ ...record, sent: known }, sent);
        return { outbox, record, find, keep };
      }

      it('and all of the operations', async () => {
        const { record, find, keep } = await store();
        expect((await find())?.sent).toBeUndefined();
        expect(await keep(undefined, sentOf(0, 9))).toEqual(sentOf(0, 9));
        expect(await find()).toMatchObject({ dispatched: false, operations: record.operations });
        expect((await find())?.sent).toEqual(sentOf(0, 9));
      });

      it.each([
        ['all that is kept', sentOf(0, 8), sentOf(0, 1, 8)],
        ['an older state', sentOf(0), sentOf(0, 1)],
        ['nothing of it', undefined, sentOf(1)],
      ])('and lose none when another writer knows %s', async (_case, known, sent) => {
        const { find, keep } = await store();
        await keep(await keep(undefined, sentOf(0)), sentOf(0, 8));
        expect(await keep(known, sent)).toEqual(sentOf(0, 1, 8));
        expect((await find())?.sent).toEqual(sentOf(0, 1, 8));
      });

      it('and lose none when several write at once', async () => {
        const { find, keep } = await store();
        await Promise.all(Array.from({ length: 10 }, (_, at) => keep(undefined, sentOf(at))));
        expect((await find())?.sent).toEqual(sentOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
      });

      it('until they are marked', async () => {
        const { outbox, record, find, keep } = await store();
        await keep(undefined, sentOf(0));
        await outbox.markDispatched(record, later);
        expect((await find())?.dispatched).toBe(true);
        await keep(sentOf(0), sentOf(0, 1));
        const found = await find();
        expect(found).toMatchObject({ dispatched: true, operations: [] });
        expect(found).not.toHaveProperty('sent');
      });

      it('and are not made by it when they are gone', async () => {
        const { outbox } = (await open()).ports('orders');
        await outbox.saveProgress(outboxWrite('gone', numberedMessages(10)), sentOf(0));
        expect(await outbox.find('gone')).toBeUndefined();
      });
    });

    it('lose their operations when they are marked', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const record = outboxWrite('in-1', [outgoingMessage()]);
      await committer.commit(commitOf({ outbox: record }));
      await outbox.markDispatched(record, later);
      const found = await outbox.find('in-1');
      expect(found).toMatchObject({ messageId: 'in-1', dispatched: true, operations: [] });
    });

    it('can be marked twice', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const record = outboxWrite('in-1', [outgoingMessage()]);
      await committer.commit(commitOf({ outbox: record }));
      await outbox.markDispatched(record, later);
      await outbox.markDispatched(record, later);
      expect((await outbox.find('in-1'))?.dispatched).toBe(true);
    });

    it('that are gone come back as dispatched when they are marked', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      await outbox.markDispatched(outboxWrite('gone', [outgoingMessage()]), later);
      const found = await outbox.find('gone');
      expect(found).toMatchObject({ messageId: 'gone', dispatched: true, storedAt: at, operations: [] });
      expect(await codeOf(committer.commit(storedRecord('gone')))).toBe('DuplicateMessage');
    });

    it('keep the time at which they were stored', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const record = outboxWrite('in-1', [outgoingMessage()]);
      await committer.commit(commitOf({ outbox: record }));
      expect((await outbox.find('in-1'))?.storedAt).toEqual(at);
      await outbox.markDispatched(record, later);
      expect((await outbox.find('in-1'))?.storedAt).toEqual(at);
    });

    it('are each found and marked when many are at once', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const records = Array.from({ length: 30 }, (_, index) =>
        outboxWrite(`in-${index}`, [outgoingMessage({ id: `out-${index}` })]),
      );
      await Promise.all(records.map((outboxRecord) => committer.commit(commitOf({ outbox: outboxRecord }))));
      const find = async (messageId: string) => await outbox.find(messageId);
      const found = await Promise.all([...records.map(({ messageId }) => find(messageId)), find('none')]);
      expect(found.map((one) => one?.operations.map(({ id }) => id))).toEqual([
        ...records.map((_, index) => [`out-${index}`]),
        undefined,
      ]);
      await Promise.all(records.map((one) => outbox.markDispatched(one, later)));
      const marked = await Promise.all(records.map(({ messageId }) => find(messageId)));
      expect(marked.map((one) => one?.dispatched)).toEqual(Array(30).fill(true));
    });

    it('are marked one by one', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const [first, second] = ['in-1', 'in-2'].map((id) => outboxWrite(id, [outgoingMessage()]));
      for (const record of [first, second]) {
        await committer.commit(commitOf({ outbox: record }));
      }
      if (first) await outbox.markDispatched(first, later);
      expect((await outbox.find('in-2'))?.dispatched).toBe(false);
    });

    it.each([
      ['waits for its dispatch', false],
      ['was dispatched', true],
    ])('refuse a second one of the same message while the first %s', async (_name, dispatched) => {
      const { outbox, committer } = (await open()).ports('orders');
      const record = outboxWrite('in-1', [outgoingMessage({ id: 'first' })]);
      await committer.commit(commitOf({ outbox: record }));
      if (dispatched) await outbox.markDispatched(record, later);
      const before = await outbox.find('in-1');

      const second = storedRecord('in-1', [outgoingMessage({ id: 'second' })]);
      const error = await sagaboxErrorOf(committer.commit(second));

      expect(error.code).toBe('DuplicateMessage');
      expect(error.facts).toEqual({ endpoint: 'orders', messageId: 'in-1' });
      expect(await outbox.find('in-1')).toStrictEqual(before);
    });

    it('let one of several commits of the same message through', async () => {
      const { outbox, committer } = (await open()).ports('orders');
      const results = await Promise.allSettled(
        ['a', 'b', 'c', 'd'].map(async (id) => {
          await committer.commit(storedRecord('in-1', [outgoingMessage({ id })]));
          return id;
        }),
      );
      const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(winners).toHaveLength(1);
      const found = await outbox.find('in-1');
      expect(found?.operations.map(({ id }) => id)).toEqual(winners);
    });

    it('are no obstacle for a commit without a record', async () => {
      const { committer } = (await open()).ports('orders');
      await committer.commit(storedRecord('in-1'));
      await expect(committer.commit(sagaCreation({}))).resolves.toBeUndefined();
    });
  });
}
