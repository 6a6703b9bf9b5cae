import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locking } from 'sagabox';
import type { Seam } from '../support/crash.ts';
import { record } from '../support/queue.ts';
import type { Driver } from '../support/returned-ids.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';
import { drivenModes, modes } from './modes.ts';

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

const modeCalls = (name: string) => calls[name] as (typeof calls)[string];

let endpoint: CounterEndpoint;

async function open(locking: Locking, driver?: Driver): Promise<void> {
  const short = locking.mode === 'pessimistic' ? { ...locking, leaseDuration } : locking;
  endpoint = await counterEndpoint(short, undefined, false, driver);
}

const seamsOf = (name: string): [string, Seam][] => [
  ['before anything', { operation: 'BatchGetItem', when: 'before', nth: 1 }],
  ['after the saga is loaded or locked, before the handler', { ...modeCalls(name).open, when: 'after' }],
  ['after the handler, before the commit', { operation: 'TransactWriteItems', when: 'before', nth: 1 }],
  ['after the commit, before the dispatch', { operation: 'TransactWriteItems', when: 'after', nth: 1 }],
  ['in the middle of the dispatch', { operation: 'SendMessageBatch', when: 'before', nth: 2 }],
  ['after the dispatch, before the mark', { ...mark, when: 'before' }],
  ['after the mark, before it is acknowledged', { ...mark, when: 'after' }],
];

describe.each(drivenModes)('I1, I2, I3: a function that dies in $name', ({ mode, locking, driver }) => {
  beforeEach(() => open(locking, driver));

  it.each(seamsOf(mode))(
    'has its message applied once by the redelivery, when it dies %s',
    async (_seam, dieAt) => {
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
    },
  );

  it('sends nothing of what it did not commit', async () => {
    const dieAt = { operation: 'TransactWriteItems', when: 'before', nth: 1 } as const;
    await endpoint.deliver([record('Counted', { counter: '7', note: 'first' })], { dieAt });

    expect(await endpoint.arrived('billing')).toEqual([]);
    expect(await endpoint.state('7')).toBeUndefined();
  });

  it('has what it committed sent by a function that does not take the type of its message any more', async () => {
    const placed = record('Counted', { counter: '7', note: 'first' });
    await endpoint.deliver([placed], {
      dieAt: { operation: 'TransactWriteItems', when: 'after', nth: 1 },
    });
    expect(await endpoint.deliverToSuccessor([placed])).toEqual([]);
    expect(await endpoint.undispatchedRecords()).toBe(0);
    expect(await endpoint.arrived('billing')).toHaveLength(1);
  });

  it('does not have the handler run again for what it committed', async () => {
    const placed = record('Counted', { counter: '7', note: 'first' });
    await endpoint.deliver([placed], {
      dieAt: { operation: 'TransactWriteItems', when: 'after', nth: 1 },
    });
    endpoint.reports.length = 0;

    await endpoint.deliver([placed]);

    expect(endpoint.reports.map(({ outcome }) => outcome)).toEqual(['redispatched']);
  });
});

describe.each(drivenModes)('I2, I5: a message in $name', ({ mode, locking, driver }) => {
  beforeEach(() => open(locking, driver));

  it('that is delivered again changes nothing, and writes nothing', async () => {
    const placed = record('Counted', { counter: '7', note: 'first' });
    await endpoint.deliver([placed]);
    await endpoint.deliver([placed]);

    expect(endpoint.reports.map(({ outcome }) => outcome)).toEqual(['handled', 'duplicate']);
    expect(endpoint.reports[1]?.capacity).toEqual({
      readUnits: modeCalls(mode).duplicateReadUnits,
      writeUnits: 0,
    });
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

const eventual = modes.filter(({ name }) => name === 'eventual');

describe.each(eventual)(
  'I5: a message that starts no saga and reads too early in $name mode',
  ({ locking }) => {
    beforeEach(() => open(locking));

    it('finds its saga all the same', async () => {
      await endpoint.deliver([record('Counted', { counter: '7', note: 'a' })]);
      const discarded: string[] = [];
      const failures = await endpoint.deliver([record('Closed', { counter: '7' }, 'soon')], {
        missFirst: true,
        onSagaNotFound: ({ id }) => void discarded.push(id),
      });
      expect({ failures, discarded }).toEqual({ failures: [], discarded: [] });
      expect(await endpoint.state('7')).toBeUndefined();
    });
  },
);

describe.each(modes)('I2, I4: concurrent messages of one saga in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  it('are applied once each, 20 of them in functions of their own', async () => {
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

  it('never conflict in one batch, and keep their order', async () => {
    const messages = Array.from({ length: 10 }, (_, index) =>
      record('Counted', { counter: 'hot', note: String(index) }, `message-${index}`),
    );
    await endpoint.deliver(messages);

    expect(endpoint.reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect((await endpoint.state('hot'))?.handled).toEqual(messages.map((_, index) => `message-${index}`));
  });
});
