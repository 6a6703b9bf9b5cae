import { describe, expect, it } from '@jest/globals';
import { RELAY_SHARDS, relayShard, relayShards } from '../../../lib/core/storage/relay-index.ts';

const messageIds = Array.from({ length: 400 }, (_, index) => `in-${index}`);

describe('the shards of the relay index', () => {
  it('are the same for one message in every version: records that are stored are found by them', () => {
    expect(relayShards('orders').at(0)).toBe('orders#00');
    expect(relayShards('orders').at(-1)).toBe('orders#15');
    expect(relayShard('orders', 'in-1')).toBe('orders#06');
  });

  it('hold every record of their endpoint, and none of another', () => {
    const shards = relayShards('orders');
    expect(new Set(shards).size).toBe(RELAY_SHARDS);
    for (const messageId of messageIds) expect(shards).toContain(relayShard('orders', messageId));
    expect(shards.filter((shard) => relayShards('order').includes(shard))).toEqual([]);
  });

  it('share the records of their endpoint', () => {
    const used = new Set(messageIds.map((messageId) => relayShard('orders', messageId)));
    expect(used.size).toBe(RELAY_SHARDS);
  });

  it('read in the order of their numbers', () => {
    expect(relayShards('orders').toSorted()).toEqual(relayShards('orders'));
  });
});
