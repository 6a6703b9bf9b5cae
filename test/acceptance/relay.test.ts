import { beforeEach, describe, expect, it } from '@jest/globals';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { relayDefaults } from '../../lib/relay/relay-defaults.ts';
import { createQueue } from '../support/engines.ts';
import type { ArrivedMessage } from '../support/queue.ts';
import { cells } from '../support/samples.ts';
import { passTime } from '../support/wall-clock.ts';
import { RelayEndpoint } from './relay-endpoint.ts';

const idsOf = (messages: readonly ArrivedMessage[]) => messages.map(({ id }) => id).toSorted();
const idOf = (incoming: string, ordinal: number, endpoint = 'orders') =>
  outgoingMessageId(incoming, endpoint, ordinal);

let endpoint: RelayEndpoint;

describe.each(['stream', 'scan'] as const)('I3: the relay by %s', (strategy) => {
  beforeEach(async () => {
    endpoint = await RelayEndpoint.open(strategy);
  });

  it('sends everything that died after its commit and whose queue was purged, with its stored ids', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' }, m2: { note: 'b' }, m3: { note: 'c' } });
    expect(await endpoint.undispatched()).toEqual(['m1', 'm2', 'm3']);
    expect(await endpoint.arrived('billing')).toEqual([]);

    expect(await endpoint.relay()).toMatchObject({
      found: 3,
      dispatched: 3,
      held: 0,
      settled: 0,
      failed: [],
      complete: true,
    });
    const charges = await endpoint.arrived('billing');
    expect(idsOf(charges)).toEqual(['m1', 'm2', 'm3'].map((id) => idOf(id, 0)).toSorted());
    expect(charges.find(({ id }) => id === idOf('m2', 0))).toMatchObject({
      type: 'Charge',
      body: { note: 'b' },
    });
    expect(idsOf(await endpoint.arrived('shipping'))).toEqual(
      ['m1', 'm2', 'm3'].map((id) => idOf(id, 1)).toSorted(),
    );

    expect(await endpoint.undispatched()).toEqual([]);
    expect(await endpoint.relay()).toMatchObject({ found: 0, complete: true });
    expect((await endpoint.items()).every((item) => item.ExpiresAt && !item.lease)).toBe(true);
  });

  it('leaves alone what is younger than the threshold', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' } });
    expect(await endpoint.relay({ olderThan: { minutes: 1 } })).toMatchObject({ found: 0, complete: true });
    expect(await endpoint.undispatched()).toEqual(['m1']);
    expect(await endpoint.arrived('billing')).toEqual([]);
  });

  it('leaves alone what is of other endpoints', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' } });
    await endpoint.loseAfterCommit({ m1: { note: 'of others' } }, 'orders2');
    expect(await endpoint.relay()).toMatchObject({ found: 1, dispatched: 1 });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
    expect(await endpoint.relay({ endpoint: 'orders2' })).toMatchObject({ found: 1, dispatched: 1 });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0, 'orders2')]);
  });
});

/** What was found is sent in one way, however it was found. */
const found = cells(['stream', 'scan'] as const, (strategy) => strategy === 'stream');

describe.each(found)('I3: the relay of what it finds by %s', (strategy) => {
  beforeEach(async () => {
    endpoint = await RelayEndpoint.open(strategy);
  });

  it('run twice at once sends no second copy', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `m${index}`);
    await endpoint.loseAfterCommit(Object.fromEntries(ids.map((id) => [id, { note: id }])));
    const results = await Promise.all([endpoint.relay(), endpoint.relay()]);

    expect(results.reduce((sum, { dispatched }) => sum + dispatched, 0)).toBe(12);
    expect(results.flatMap(({ failed }) => failed)).toEqual([]);
    expect(idsOf(await endpoint.arrived('billing'))).toEqual(ids.map((id) => idOf(id, 0)).toSorted());
    expect(await endpoint.undispatched()).toEqual([]);
  });

  it('sends a record in chunks whole, and deletes its chunks', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'large', largeMessages: 3 } });
    expect((await endpoint.items()).length).toBeGreaterThan(1);
    expect(await endpoint.relay()).toMatchObject({ dispatched: 1 });
    expect(idsOf(await endpoint.arrived('shipping'))).toEqual(
      [1, 2, 3, 4].map((n) => idOf('m1', n)).toSorted(),
    );
    expect(await endpoint.items()).toHaveLength(1);
  });

  it('keeps and reports a record whose destination is gone, and sends it once that is back', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' } });
    const { billing, shipping } = endpoint.queues;
    const told: unknown[] = [];
    const logger = {
      info() {},
      warn() {},
      error: (_message: string, facts: object) => void told.push(facts),
    };
    const destinations = { billing: `${billing}-gone`, shipping };
    await expect(endpoint.relay({ destinations, logger })).rejects.toMatchObject({
      code: 'RelayFailed',
      facts: { endpoint: 'orders', failed: 1, failures: ["'m1': DispatchRefused"] },
    });
    expect(told).toEqual([expect.objectContaining({ messageId: 'm1', code: 'DispatchRefused' })]);
    expect(await endpoint.undispatched()).toEqual(['m1']);

    const atOnce = { includePostponed: true };
    await expect(endpoint.relay({ destinations: { shipping }, ...atOnce })).rejects.toMatchObject({
      facts: { failures: ["'m1': Configuration"] },
    });
    const back = await createQueue();
    expect(await endpoint.relay({ destinations: { billing: back, shipping }, ...atOnce })).toMatchObject({
      dispatched: 1,
    });
    expect(await endpoint.undispatched()).toEqual([]);
    // Each run that could not send all of it has sent what it could, with the same id.
    expect(new Set(idsOf(await endpoint.arrived('shipping')))).toEqual(new Set([idOf('m1', 1)]));
  });

  it('sends the others when one record cannot be sent', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' }, m2: { note: 'b', largeMessages: 3 } });
    const chunk = (await endpoint.items()).find((item) => item.SK?.S === 'CHUNK#0001');
    await endpoint.removeItem(chunk);
    await expect(endpoint.relay()).rejects.toMatchObject({
      facts: { failed: 1, failures: ["'m2': IncompleteOutboxRecord"] },
    });
    expect(await endpoint.undispatched()).toEqual(['m2']);
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
  });

  it('that dies with a lease is made up for by a run after the lease, and by none before', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' } });
    const dead = { operation: 'UpdateItem', when: 'after', nth: 1 } as const;
    await expect(endpoint.relay({ dieAt: dead })).rejects.toThrow(/died|could not be dispatched/);
    expect(await endpoint.relay()).toMatchObject({ found: 1, held: 1, dispatched: 0 });
    passTime(relayDefaults.leaseDuration.minutes * 60_000);
    expect(await endpoint.relay()).toMatchObject({ dispatched: 1 });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0)]);
  });

  it('that dies between dispatch and mark is repeated with the same ids', async () => {
    await endpoint.loseAfterCommit({ m1: { note: 'a' } });
    const dead = { operation: 'BatchWriteItem', when: 'before', nth: 1 } as const;
    const run = endpoint.relay({ dieAt: dead, leaseDuration: { milliseconds: 1 } });
    await expect(run).rejects.toThrow(/died|could not be dispatched/);
    expect(await endpoint.relay()).toMatchObject({ dispatched: 1 });
    expect(idsOf(await endpoint.arrived('billing'))).toEqual([idOf('m1', 0), idOf('m1', 0)]);
  });
});
