import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { FoundItem } from '../../lib/relay/found-item.dynamodb.ts';
import { SharedSearch } from '../../lib/relay/shared-search.dynamodb.ts';
import type { UndispatchedSearch } from '../../lib/relay/undispatched-records.dynamodb.ts';

const terms = [new Date(), new CapacityMeter()] as const;

const recordOf = (endpoint: string, messageId: string): FoundItem => ({
  endpoint,
  messageId,
  storedAt: new Date(0),
  partition: `OUTBOX#${endpoint}#${messageId}`,
  entryKey: undefined,
});

interface Found {
  readonly items: readonly FoundItem[];
  readonly error?: Error;
  readonly maxWaiting?: number;
}

function shared({ items, error, maxWaiting }: Found) {
  let read = 0;
  const search: UndispatchedSearch = async function* () {
    for (const item of items) {
      await setImmediate();
      read += 1;
      yield item;
    }
    if (error) throw error;
  };
  const endpoints = ['orders', 'billing'];
  const all = new SharedSearch({
    search,
    endpoints,
    ...(maxWaiting && { maxWaiting }),
  });
  const takerOf = (endpoint: string) =>
    all
      .searchOf(endpoint)(...terms)
      [Symbol.asyncIterator]();
  return { all, takerOf, read: () => read };
}

async function takeAll(taker: AsyncIterator<FoundItem>): Promise<(string | undefined)[]> {
  const taken: (string | undefined)[] = [];
  for (let next = await taker.next(); !next.done; next = await taker.next()) taken.push(next.value.partition);
  return taken;
}

describe('a search for several endpoints', () => {
  it('gives each its own records, once, and reads each once', async () => {
    const items = [recordOf('orders', '1'), recordOf('billing', '2'), recordOf('orders', 'a#b')];
    const { takerOf, read } = shared({ items });
    const [ofOrders, ofBilling] = await Promise.all([
      takeAll(takerOf('orders')),
      takeAll(takerOf('billing')),
    ]);
    expect(ofOrders).toEqual(['OUTBOX#orders#1', 'OUTBOX#orders#a#b']);
    expect(ofBilling).toEqual(['OUTBOX#billing#2']);
    expect(read()).toBe(3);
  });

  it('counts the records of endpoints that it is not for, and gives them to none', async () => {
    const others = [recordOf('order', '1'), recordOf('orders2', '2'), recordOf('order', '3')];
    const { all, takerOf } = shared({ items: others });
    expect(await Promise.all([takeAll(takerOf('orders')), takeAll(takerOf('billing'))])).toEqual([[], []]);
    expect(all.unknown).toEqual({ order: 2, orders2: 1 });
  });

  it('goes on with whoever has none waiting, whatever the others do', async () => {
    const items = [recordOf('orders', '1'), recordOf('orders', '2'), recordOf('billing', '3')];
    const { takerOf, read } = shared({ items });
    const busy = takerOf('orders');
    await busy.next();
    const billing = takerOf('billing');
    expect((await billing.next()).value?.partition).toBe('OUTBOX#billing#3');
    expect(read()).toBe(3);
    expect(await takeAll(busy)).toEqual(['OUTBOX#orders#2']);
  });

  it('leaves what has no room in the share of one endpoint to the next run, and goes on for the others', async () => {
    const items = [...['1', '2', '3', '4'].map((id) => recordOf('orders', id)), recordOf('billing', '5')];
    const { all, takerOf, read } = shared({ items, maxWaiting: 2 });
    const orders = takerOf('orders');
    await orders.next();
    // Nobody takes another record of orders meanwhile.
    expect(await takeAll(takerOf('billing'))).toEqual(['OUTBOX#billing#5']);
    expect(read()).toBe(5);
    expect(all.hasLeftOver('orders')).toBe(true);
    expect(all.hasLeftOver('billing')).toBe(false);
    expect(await takeAll(orders)).toEqual(['2', '3'].map((id) => `OUTBOX#orders#${id}`));
  });

  it('leaves nothing over while there is room', async () => {
    const items = [...['1', '2', '3'].map((id) => recordOf('orders', id)), recordOf('billing', '5')];
    const { all, takerOf } = shared({ items, maxWaiting: 2 });
    const orders = takerOf('orders');
    await orders.next();
    await takeAll(takerOf('billing'));
    expect(all.hasLeftOver('orders')).toBe(false);
    expect(await takeAll(orders)).toEqual(['2', '3'].map((id) => `OUTBOX#orders#${id}`));
  });

  it('does not wait for an endpoint that takes no more', async () => {
    const items = [...['1', '2', '3', '4'].map((id) => recordOf('orders', id)), recordOf('billing', '5')];
    const { takerOf } = shared({ items, maxWaiting: 1 });
    const orders = takerOf('orders');
    await orders.next();
    await orders.return?.();
    expect(await takeAll(takerOf('billing'))).toEqual(['OUTBOX#billing#5']);
  });

  it('fails for all of them, after what was found', async () => {
    const { takerOf } = shared({ items: [recordOf('orders', '1')], error: new Error('throttled') });
    const [orders, billing] = [takerOf('orders'), takerOf('billing')];
    expect((await orders.next()).value?.partition).toBe('OUTBOX#orders#1');
    await expect(orders.next()).rejects.toThrow('throttled');
    await expect(billing.next()).rejects.toThrow('throttled');
  });

  it('is for the endpoints that it was made for', () => {
    expect(() => shared({ items: [] }).all.searchOf('shipping')).toThrow("not for 'shipping'");
  });
});
