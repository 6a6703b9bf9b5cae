import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../support/wait-until.ts';
import { BasketEndpoint } from './basket-endpoint.ts';

/** Its holder may stand still for two thirds of it. */
const leaseDurationMs = 3_000;

describe('I4: a renewed lease', () => {
  it('is not taken over while its handler runs longer than it', async () => {
    const endpoint = await BasketEndpoint.open({
      mode: 'pessimistic',
      renew: true,
      leaseDuration: { milliseconds: leaseDurationMs },
      leaseAcquisitionTimeout: { seconds: 100 },
      minRefreshDelay: { milliseconds: 30 },
      maxRefreshDelay: { milliseconds: 100 },
    });
    const leaseEndMs = async () => Number((await endpoint.basket())?.lease?.M?.until?.N);
    await endpoint.deliver('Opened', 'first');
    const before = await endpoint.basket();
    const endHandler = endpoint.holdHandler('slow');
    const delivery = endpoint.deliver('Added', 'slow');
    await waitUntil(async () => (await endpoint.basket())?.lease !== undefined);
    const firstEndMs = await leaseEndMs();
    const next = endpoint.deliver('Added', 'next');
    await waitUntil(() => Date.now() > firstEndMs + leaseDurationMs);
    expect((await endpoint.basket())?.version).toEqual(before?.version);
    expect(await leaseEndMs()).toBeGreaterThan(firstEndMs);

    endHandler();
    expect(await Promise.all([delivery, next])).toEqual([true, true]);
    expect(endpoint.reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(await endpoint.handled()).toEqual(['first', 'slow', 'next']);
  });
});
