import { beforeEach, describe, expect, it } from '@jest/globals';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { relayDefaults } from '../../lib/relay/relay-defaults.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { type ArrivedMessage, record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { createStreamedTable } from '../support/relay-subject.ts';
import { cells } from '../support/samples.ts';
import { passTime } from '../support/wall-clock.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';

const idsOf = (messages: readonly ArrivedMessage[]) => messages.map(({ id }) => id).toSorted();
const idOf = (incoming: string, ordinal: number) => outgoingMessageId(incoming, 'counters', ordinal);
const afterCommit = { operation: 'UpdateItem', when: 'after', nth: 1 } as const;

let endpoint: CounterEndpoint;

const counted = (id: string, counter = '7') => record('Counted', { counter, note: id }, id);
const closed = (id: string) => record('Closed', { counter: '7' }, id);
const items = async () => await allItems(dynamoDBClient(), endpoint.table);
const entries = async () => (await items()).flatMap(({ pending }) => Object.values(pending?.M ?? {}));

/** Their functions die after the commit, and they never come back. */
async function lose(...messages: Parameters<typeof endpoint.deliver>[0]): Promise<void> {
  for (const message of messages) await endpoint.deliver([message], { dieAt: afterCommit });
  expect(await entries()).toHaveLength(messages.length);
}

describe.each(['stream', 'scan'] as const)(
  'I3: the relay of sagas with an embedded outbox by %s',
  (strategy) => {
    beforeEach(async () => {
      endpoint = await counterEndpoint({ mode: 'optimistic' }, 'embedded', strategy === 'stream');
    });

    it('sends what died after its commit with its stored ids, once, and marks it', async () => {
      await lose(counted('m1'), counted('m2'), counted('m3', '8'));
      expect(await endpoint.arrived('billing')).toEqual([]);
      expect(await endpoint.relay()).toMatchObject({ found: 3, dispatched: 3, failed: [], complete: true });

      const charges = await endpoint.arrived('billing');
      expect(idsOf(charges)).toEqual(['m1', 'm2', 'm3'].map((id) => idOf(id, 0)).toSorted());
      expect(charges.find(({ id }) => id === idOf('m2', 0))).toMatchObject({
        type: 'Charge',
        body: { note: 'm2' },
      });
      expect(idsOf(await endpoint.arrived('shipping'))).toEqual(
        ['m1', 'm2', 'm3'].map((id) => idOf(id, 1)).toSorted(),
      );
      expect(await entries()).toEqual([]);
      expect(await endpoint.relay()).toMatchObject({ found: 0, complete: true });
      expect(await endpoint.state('7')).toEqual({ count: 2, handled: ['m1', 'm2'] });
      for (const item of await items()) {
        const { ExpiresAt, storedAt } = item;
        expect([ExpiresAt, storedAt]).toEqual([undefined, undefined]);
      }
    });

    it('has a tombstone expire once its last entry is marked', async () => {
      await endpoint.deliver([counted('m1')]);
      await lose(closed('m2'));
      expect((await items())[0]).not.toHaveProperty('ExpiresAt');
      expect(await endpoint.relay({ deduplicationPeriod: { hours: 1 } })).toMatchObject({ dispatched: 1 });
      const [{ updatedAt, ExpiresAt, state, storedAt } = {}] = await items();
      expect([state, storedAt]).toEqual([undefined, undefined]);
      expect(Number(ExpiresAt?.N)).toBe(Number(updatedAt?.N) + 3600);
    });

    it('leaves alone what is younger than the threshold', async () => {
      await lose(counted('m1'));
      expect(await endpoint.relay({ olderThan: { minutes: 1 } })).toMatchObject({ found: 0, complete: true });
      expect(await entries()).toHaveLength(1);
    });

    it('finds what died in a saga table of its own, and not if it does not know that table', async () => {
      await lose(counted('m1'));
      const outboxTable = { tableName: await createStreamedTable(dynamoDBClient()) };
      const sagaTable = { tableName: '' };
      expect(await endpoint.relay({ outboxTable, sagaTable })).toMatchObject({ found: 0, complete: true });
      expect(await endpoint.relay({ outboxTable })).toMatchObject({ found: 1, dispatched: 1 });
    });

    it('of several endpoints sends for each of them, and counts what it finds of others', async () => {
      await lose(counted('m1'));
      const destinations = endpoint.queues;
      const others = await endpoint.relay({
        endpoint: undefined,
        endpoints: [{ endpoint: 'orders' }, { endpoint: 'billing' }],
      } as object);
      // Each endpoint has a list of its own.
      const unknownEndpoints = strategy === 'scan' ? { counters: 1 } : {};
      expect(others).toMatchObject({ found: 0, unknownEndpoints });
      const all = await endpoint.relay({
        endpoint: undefined,
        endpoints: [{ endpoint: 'orders' }, { endpoint: 'counters', destinations }],
      } as object);
      expect(all).toMatchObject({ endpoints: { orders: { found: 0 }, counters: { dispatched: 1 } } });
    });
  },
);

/** What was found is sent in one way, however it was found. */
const found = cells(['stream', 'scan'] as const, (strategy) => strategy === 'stream');

describe.each(found)('I3: the relay of what it finds in sagas by %s', (strategy) => {
  beforeEach(async () => {
    endpoint = await counterEndpoint({ mode: 'optimistic' }, 'embedded', strategy === 'stream');
  });

  it('sends what was left by a message that fails, since no function takes it any more', async () => {
    await lose(counted('m1'));
    expect(await endpoint.deliverToSuccessor([counted('m1')])).toHaveLength(1);
    expect(endpoint.reports.at(-1)).toMatchObject({
      outcome: 'failed',
      error: { code: 'UnknownMessageType' },
    });
    expect(await endpoint.relay()).toMatchObject({ dispatched: 1, complete: true });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
    expect(await endpoint.deliverToSuccessor([counted('m1')])).toHaveLength(1);
    expect(await endpoint.arrived('billing')).toEqual([]);
  });

  it('run twice at once sends no second copy', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `m${index}`);
    await lose(...ids.map((id, index) => counted(id, String(index % 4))));
    const results = await Promise.all([endpoint.relay(), endpoint.relay()]);
    expect(results.reduce((sum, { dispatched }) => sum + dispatched, 0)).toBe(12);
    expect(results.flatMap(({ failed }) => failed)).toEqual([]);
    expect(idsOf(await endpoint.arrived('billing'))).toEqual(ids.map((id) => idOf(id, 0)).toSorted());
    expect(await entries()).toEqual([]);
  });

  it('leaves the commits that a function makes beside it', async () => {
    await lose(counted('m1'), counted('m2'));
    const [result, failed] = await Promise.all([
      endpoint.relay(),
      endpoint.deliver([counted('m1'), counted('m3')]),
    ]);
    expect([result.failed, failed]).toEqual([[], []]);
    expect(await endpoint.state('7')).toEqual({ count: 3, handled: ['m1', 'm2', 'm3'] });
    expect(await entries()).toEqual([]);
    const ids = new Set(idsOf(await endpoint.arrived('billing')));
    expect(ids).toEqual(new Set(['m1', 'm2', 'm3'].map((id) => idOf(id, 0))));
  });

  it('that dies with a lease is made up for by a run after the lease, and by none before', async () => {
    await lose(counted('m1'));
    const run = endpoint.relay({ dieAt: afterCommit });
    await expect(run).rejects.toThrow(/died|could not be dispatched/);
    expect(await endpoint.relay()).toMatchObject({ found: 1, held: 1, dispatched: 0 });
    passTime(relayDefaults.leaseDuration.minutes * 60_000);
    expect(await endpoint.relay()).toMatchObject({ dispatched: 1 });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
  });

  it('keeps what it sent of an entry that it postpones, and sends the rest later', async () => {
    await lose(counted('m1'));
    const isRefused = endpoint.relay({ destinations: { billing: endpoint.queues.billing } });
    await expect(isRefused).rejects.toMatchObject({ facts: { failures: ["'m1': Configuration"] } });
    const gone = { ...endpoint.queues, shipping: `${endpoint.queues.shipping}-gone` };
    const isGone = endpoint.relay({ destinations: gone, includePostponed: true });
    await expect(isGone).rejects.toMatchObject({ facts: { failures: ["'m1': DispatchRefused"] } });
    expect((await entries())[0]?.M).toMatchObject({
      sent: { B: Uint8Array.of(0b01) },
      lease: { M: { postponed: { BOOL: true } } },
    });
    expect(await endpoint.relay({ includePostponed: true })).toMatchObject({ dispatched: 1 });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
    expect(idsOf(await endpoint.arrived('shipping'))).toEqual([idOf('m1', 1)]);
    expect(await entries()).toEqual([]);
  });
});

describe('I3: the relay of sagas in a table of their own', () => {
  const tables = { outboxTable: { tableName: '' } };
  beforeEach(async () => {
    endpoint = await counterEndpoint({ mode: 'optimistic' }, 'embedded', true);
    tables.outboxTable = { tableName: await createStreamedTable(dynamoDBClient()) };
  });

  async function lose(id: string): Promise<void> {
    await endpoint.deliver([counted(id)], { ...tables, dieAt: afterCommit });
  }

  /** With the tables that a run searches. */
  async function relay(options: object = {}) {
    const client = dynamoDBClient();
    const { requests } = new ClientFaults(client);
    const result = await endpoint.relay({ ...tables, ...options, dynamoDBClient: client });
    const searches = requests.filter(({ operation }) => operation === 'Scan' || operation === 'Query');
    const named = searches.map(({ operation, input }) => `${operation} ${input.TableName}`);
    return { result, searched: new Set(named) };
  }

  it('finds on the list of that table what died after its commit', async () => {
    await lose('m1');
    const { result, searched } = await relay();
    expect(result).toMatchObject({ found: 1, dispatched: 1, failed: [], complete: true });
    expect(searched).toEqual(new Set([`Query ${endpoint.table}`, `Query ${tables.outboxTable.tableName}`]));
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
    // The item of the saga alone: what was listed is off the list.
    expect(await items()).toEqual([expect.objectContaining({ pending: { M: {} } })]);
  });

  it('finds by a scan what no watcher read', async () => {
    await lose('m1');
    const { result, searched } = await relay({ strategy: 'scan' });
    expect(result).toMatchObject({ found: 1, dispatched: 1, failed: [] });
    expect(searched).toEqual(new Set([`Scan ${endpoint.table}`, `Scan ${tables.outboxTable.tableName}`]));
  });
});
