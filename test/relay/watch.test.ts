import { expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { ItemKey } from '../../lib/dynamodb/keys.ts';
import type { StreamedTable, TableChange } from '../../lib/relay/streamed-table.ts';
import type { UnsentItem } from '../../lib/relay/unsent-items.ts';
import { listUnsent, type WatchTerms } from '../../lib/relay/watch.ts';

const now = new Date('2026-01-02T12:00:00Z');
const storedAt = new Date('2026-01-02T11:00:00Z');
const recordOf = (id: string): ItemKey => ({ partition: `OUTBOX#orders#${id}`, sort: 'RECORD' });
const unsent = (id: string, others: Partial<UnsentItem> = {}): UnsentItem => ({
  endpoint: 'orders',
  partition: recordOf(id).partition,
  messageId: id,
  storedAt,
  ...others,
});
const change = (id: string, sequence: number, mayBeUnsent: boolean): TableChange => ({
  item: recordOf(id),
  sequence: BigInt(sequence),
  mayBeUnsent,
});

/** A table that holds what is not sent of each record. */
function watched(items: Record<string, readonly UnsentItem[]>, others: Partial<StreamedTable> = {}) {
  const looked: string[] = [];
  const listed: UnsentItem[] = [];
  const table: StreamedTable = {
    async unsentIn({ partition }) {
      looked.push(partition);
      return items[partition.split('#')[2] ?? ''] ?? [];
    },
    async list(item) {
      listed.push(item);
    },
    ...others,
  };
  const terms = (more: Partial<WatchTerms> = {}) => ({ table, now, meter: new CapacityMeter(), ...more });
  return { terms, looked, listed };
}

it('the newest change of an item decides, wherever it stands in the batch', async () => {
  const { terms, looked, listed } = watched({ m1: [unsent('m1')], m2: [unsent('m2')] });
  const changes = [
    change('m1', 2, true),
    change('m1', 1, false),
    change('m2', 4, false),
    change('m2', 3, true),
  ];
  expect(await listUnsent(changes, terms())).toEqual({ looked: 1, listed: 1, unlistable: [] });
  expect([looked, listed]).toEqual([[recordOf('m1').partition], [unsent('m1')]]);
});

it('of two changes without an order the later one decides', async () => {
  const { terms, listed } = watched({ m1: [unsent('m1')] });
  await listUnsent([change('m1', 0, false), change('m1', 0, true)], terms());
  expect(listed).toEqual([unsent('m1')]);
});

it('what the look at the item shows sent is not listed', async () => {
  const { terms, looked, listed } = watched({ m1: [] });
  expect(await listUnsent([change('m1', 1, true)], terms())).toEqual({
    looked: 1,
    listed: 0,
    unlistable: [],
  });
  expect([looked.length, listed]).toEqual([1, []]);
});

it('all that an item holds is listed, of each endpoint', async () => {
  const entries = [unsent('m1', { entryKey: 'a' }), unsent('m2', { entryKey: 'b', endpoint: 'billing' })];
  const { terms, listed } = watched({ m1: entries });
  expect(await listUnsent([change('m1', 1, true)], terms())).toMatchObject({ listed: 2 });
  expect(listed).toEqual(entries);
});

it('of a replicated table only what endpoints of this region sent is listed', async () => {
  const { terms, listed } = watched({ m1: [unsent('m1')], m2: [unsent('m2', { endpoint: 'elsewhere' })] });
  const changes = [change('m1', 1, true), change('m2', 2, true)];
  await listUnsent(changes, terms({ endpoints: new Set(['orders']) }));
  expect(listed).toEqual([unsent('m1')]);
});

it.each([
  ['that cannot be read is the beginning of time', Number.NaN, new Date(0)],
  ['of a clock that was ahead is now', '2026-01-03T00:00:00Z', now],
])('a time %s, so that the relay finds it', async (_what, time, expected) => {
  const { terms, listed } = watched({ m1: [unsent('m1', { storedAt: new Date(time) })] });
  await listUnsent([change('m1', 1, true)], terms());
  expect(listed[0]?.storedAt).toEqual(expected);
});

it.each(['', 'a#b', 'x'.repeat(513)])(
  'a thing of the endpoint %j is told, and stops nothing',
  async (endpoint) => {
    const { terms, listed } = watched({ m1: [unsent('m1', { endpoint })], m2: [unsent('m2')] });
    const result = await listUnsent([change('m1', 1, true), change('m2', 2, true)], terms());
    expect(result).toMatchObject({ listed: 1, unlistable: [recordOf('m1').partition] });
    expect(listed).toEqual([unsent('m2')]);
  },
);

it.each(['unsentIn', 'list'] as const)(
  'a %s that fails fails the batch, once all others are listed',
  async (call) => {
    const { terms, listed } = watched({ m1: [unsent('m1')], m2: [unsent('m2')] });
    const { table } = terms();
    const failing = {
      ...table,
      [call]: async (of: { partition: string }, meter: CapacityMeter) => {
        if (of.partition.endsWith('m1')) throw new Error('no answer');
        return await table[call](of as never, meter);
      },
    };
    const changes = [change('m1', 1, true), change('m2', 2, true)];
    await expect(listUnsent(changes, terms({ table: failing }))).rejects.toThrow('no answer');
    expect(listed).toEqual([unsent('m2')]);
  },
);
