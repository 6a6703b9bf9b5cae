import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Seam } from '../support/crash.ts';
import { record } from '../support/queue.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';
import { modes } from './modes.ts';

/** The calls of each mode: which one loads or locks the saga, and what a duplicate reads. */
const calls: Record<string, { open: Omit<Seam, 'when'>; duplicateReadUnits: number }> = {
  // With the dedup check.
  optimistic: { open: { operation: 'BatchGetItem', nth: 1 }, duplicateReadUnits: 2 },
  // Apart from the dedup check, which is consistent, of the same table.
  eventual: { open: { operation: 'BatchGetItem', nth: 2 }, duplicateReadUnits: 1.5 },
  pessimistic: { open: { operation: 'UpdateItem', nth: 1 }, duplicateReadUnits: 1 },
};

const mark = { operation: 'BatchWriteItem', nth: 1 };

/** Short, for those who come behind a dead one. */
const leaseDuration = { milliseconds: 250 };

describe.each(modes)('$name mode:', ({ name, locking }) => {
  const { open, duplicateReadUnits } = calls[name] as (typeof calls)[string];
  let endpoint: CounterEndpoint;

  beforeEach(async () => {
    endpoint = await counterEndpoint(
      locking.mode === 'pessimistic' ? { ...locking, leaseDuration } : locking,
    );
  });

  const seams: [string, Seam][] = [
    ['before anything', { operation: 'BatchGetItem', when: 'before', nth: 1 }],
    ['after the saga is loaded or locked, before the handler', { ...open, when: 'after' }],
    ['after the handler, before the commit', { operation: 'TransactWriteItems', when: 'before', nth: 1 }],
    ['after the commit, before the dispatch', { operation: 'TransactWriteItems', when: 'after', nth: 1 }],
    ['in the middle of the dispatch', { operation: 'SendMessageBatch', when: 'before', nth: 2 }],
    ['after the dispatch, before the mark', { ...mark, when: 'before' }],
    ['after the mark, before it is acknowledged', { ...mark, when: 'after' }],
  ];

  describe('a function that dies', () => {
    it.each(seams)('%s: the redelivery makes it exactly once', async (_seam, dieAt) => {
      const placed = record('Counted', { counter: '7', note: 'first' }, 'message-1');

      expect(await endpoint.deliver([placed], { dieAt })).toEqual([placed.messageId]);
      expect(await endpoint.deliver([placed])).toEqual([]);

      expect(await endpoint.state('7')).toEqual({ count: 1, handled: ['message-1'] });
      expect(await endpoint.undispatchedRecords()).toBe(0);
      for (const destination of ['billing', 'shipping'] as const) {
        const arrived = await endpoint.arrived(destination);
        expect(new Set(arrived.map(({ id }) => id)).size).toBe(1);
        expect(arrived[0]?.body).toEqual({ note: 'first' });
      }
    });

    it('sends nothing of what it did not commit', async () => {
      const dieAt = { operation: 'TransactWriteItems', when: 'before', nth: 1 } as const;
      await endpoint.deliver([record('Counted', { counter: '7', note: 'first' })], { dieAt });

      expect(await endpoint.arrived('billing')).toEqual([]);
      expect(await endpoint.state('7')).toBeUndefined();
    });

    it('is made up for also when nobody takes its message type any more', async () => {
      const placed = record('Counted', { counter: '7', note: 'first' });
      await endpoint.deliver([placed], {
        dieAt: { operation: 'TransactWriteItems', when: 'after', nth: 1 },
      });
      expect(await endpoint.deliverToSuccessor([placed])).toEqual([]);
      expect(await endpoint.undispatchedRecords()).toBe(0);
      expect(await endpoint.arrived('billing')).toHaveLength(1);
    });

    it('does not run the handler again for what it committed', async () => {
      const placed = record('Counted', { counter: '7', note: 'first' });
      await endpoint.deliver([placed], {
        dieAt: { operation: 'TransactWriteItems', when: 'after', nth: 1 },
      });
      endpoint.reports.length = 0;

      await endpoint.deliver([placed]);

      expect(endpoint.reports.map(({ outcome }) => outcome)).toEqual(['redispatched']);
    });
  });

  describe('a message', () => {
    it('that is delivered again changes nothing, and writes nothing', async () => {
      const placed = record('Counted', { counter: '7', note: 'first' });
      await endpoint.deliver([placed]);
      await endpoint.deliver([placed]);

      expect(endpoint.reports.map(({ outcome }) => outcome)).toEqual(['handled', 'duplicate']);
      expect(endpoint.reports[1]?.capacity).toEqual({ readUnits: duplicateReadUnits, writeUnits: 0 });
      expect(await endpoint.state('7')).toMatchObject({ count: 1 });
    });

    it('that is delivered to two functions at once is applied once', async () => {
      const placed = record('Counted', { counter: '7', note: 'first' });
      const failures = await Promise.all([endpoint.deliver([placed]), endpoint.deliver([placed])]);

      expect(failures.flat()).toEqual([]);
      expect(await endpoint.state('7')).toMatchObject({ count: 1 });
      const arrived = await endpoint.arrived('billing');
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(1);
    });

    it('is handled by each of two endpoints', async () => {
      const placed = record('Counted', { counter: '7', note: 'first' });
      await endpoint.deliver([placed]);
      await endpoint.deliver([placed], { endpoint: 'other' });

      expect(endpoint.reports.map(({ outcome }) => outcome)).toEqual(['handled', 'handled']);
      const arrived = await endpoint.arrived('billing');
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(2);
    });

    it('is another one when its id differs only in case', async () => {
      await endpoint.deliver([record('Counted', { counter: '7', note: 'a' }, 'Abc')]);
      await endpoint.deliver([record('Counted', { counter: '7', note: 'b' }, 'aBC')]);

      expect(await endpoint.state('7')).toEqual({ count: 2, handled: ['Abc', 'aBC'] });
    });

    it('for a completed saga is discarded', async () => {
      await endpoint.deliver([record('Counted', { counter: '7', note: 'a' })]);
      await endpoint.deliver([record('Closed', { counter: '7' })]);
      const discarded: string[] = [];
      const failures = await endpoint.deliver([record('Closed', { counter: '7' }, 'late')], {
        onSagaNotFound: ({ id }) => void discarded.push(id),
      });

      expect(failures).toEqual([]);
      expect(discarded).toEqual(['late']);
      expect(await endpoint.state('7')).toBeUndefined();
    });
  });

  if (name === 'eventual') {
    it('a message that starts nothing and reads too early finds its saga all the same', async () => {
      await endpoint.deliver([record('Counted', { counter: '7', note: 'a' })]);
      const discarded: string[] = [];
      const failures = await endpoint.deliver([record('Closed', { counter: '7' }, 'soon')], {
        missFirst: true,
        onSagaNotFound: ({ id }) => void discarded.push(id),
      });
      expect({ failures, discarded }).toEqual({ failures: [], discarded: [] });
      expect(await endpoint.state('7')).toBeUndefined();
    });
  }

  describe('concurrent messages of one saga', () => {
    it('20 in functions of their own end applied once each', async () => {
      const messages = Array.from({ length: 20 }, (_, index) =>
        record('Counted', { counter: 'hot', note: String(index) }, `message-${index}`),
      );
      for (let pending = messages; pending.length > 0; ) {
        const batches = Array.from({ length: Math.ceil(pending.length / 5) }, (_, index) =>
          pending.slice(index * 5, index * 5 + 5),
        );
        const failed = (await Promise.all(batches.map((batch) => endpoint.deliver(batch)))).flat();
        pending = pending.filter(({ messageId }) => failed.includes(messageId));
      }

      const state = await endpoint.state('hot');
      expect(state?.count).toBe(20);
      expect(new Set(state?.handled).size).toBe(20);
      expect((await endpoint.arrived('billing')).length).toBe(20);
      expect(await endpoint.undispatchedRecords()).toBe(0);
    });

    it('in one batch never conflict, and keep their order', async () => {
      const messages = Array.from({ length: 10 }, (_, index) =>
        record('Counted', { counter: 'hot', note: String(index) }, `message-${index}`),
      );
      await endpoint.deliver(messages);

      expect(endpoint.reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      expect((await endpoint.state('hot'))?.handled).toEqual(messages.map((_, index) => `message-${index}`));
    });
  });
});
