import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Seam } from '../support/crash.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';
import { modes } from './modes.ts';

/** Which update of the item the commit is: a lease comes before it. */
const commits: Record<string, number> = { optimistic: 1, eventual: 1, pessimistic: 2 };

const leaseDuration = { milliseconds: 250 };

describe.each(modes)('I1, I2, I3: a saga with an embedded outbox in $name mode', ({ name, locking }) => {
  const commit = { operation: 'UpdateItem', nth: commits[name] as number } as const;
  const mark = { ...commit, nth: commit.nth + 1 } as const;
  let endpoint: CounterEndpoint;

  beforeEach(async () => {
    const mode = locking.mode === 'pessimistic' ? { ...locking, leaseDuration } : locking;
    endpoint = await counterEndpoint(mode, 'embedded');
  });

  const sagaItem = async () =>
    (await allItems(dynamoDBClient(), endpoint.table)).find(({ SK }) => SK?.S === 'SAGA');
  const pendingCount = async () => Object.keys((await sagaItem())?.pending?.M ?? {}).length;
  const counted = (note: string, id: string) => record('Counted', { counter: '7', note }, id);
  const outcomes = () => endpoint.reports.map(({ outcome }) => outcome);

  it.each<[string, Seam]>([
    ['before the commit', { ...commit, when: 'before' }],
    ['after the commit, before the dispatch', { ...commit, when: 'after' }],
    ['in the middle of the dispatch', { operation: 'SendMessageBatch', when: 'before', nth: 2 }],
    ['after the dispatch, before the mark', { ...mark, when: 'before' }],
    ['after the mark, before it is acknowledged', { ...mark, when: 'after' }],
  ])('has its message applied once by the redelivery after a death %s', async (_seam, dieAt) => {
    const placed = counted('first', 'message-1');
    expect(await endpoint.deliver([placed], { dieAt })).toEqual([placed.messageId]);
    expect(await endpoint.deliver([placed])).toEqual([]);

    expect(await endpoint.state('7')).toEqual({ count: 1, handled: ['message-1'] });
    expect(await pendingCount()).toBe(0);
    for (const destination of ['billing', 'shipping'] as const) {
      const arrived = await endpoint.arrived(destination);
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(1);
    }
  });

  it('stores all in one item, and no record', async () => {
    await endpoint.deliver([counted('first', 'message-1'), counted('second', 'message-2')]);
    expect(await endpoint.deliver([counted('first', 'message-1')])).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled', 'duplicate']);
    expect(await allItems(dynamoDBClient(), endpoint.table)).toHaveLength(1);
    expect(await sagaItem()).toMatchObject({ schemaVersion: { N: '2' }, version: { N: '2' } });
  });

  it('knows messages after its end, until the tombstone expires', async () => {
    const closed = record('Closed', { counter: '7' }, 'message-2');
    await endpoint.deliver([counted('first', 'message-1')]);
    await endpoint.deliver([closed]);
    const tombstone = await sagaItem();
    expect(tombstone).toMatchObject({ pending: { M: {} }, ExpiresAt: expect.anything() });
    expect(tombstone?.state).toBeUndefined();
    await endpoint.deliver([counted('first', 'message-1')]);
    await endpoint.deliver([closed]);
    await endpoint.deliver([record('Closed', { counter: '7' }, 'late')]);
    expect(outcomes().slice(2)).toEqual(['duplicate', 'duplicate', 'discarded']);
    await endpoint.deliver([counted('again', 'message-3')]);
    expect(await endpoint.state('7')).toEqual({ count: 1, handled: ['message-3'] });
    expect((await sagaItem())?.ExpiresAt).toBeUndefined();
  });
});
