import { describe, expect, it } from '@jest/globals';
import { RECOVERY_SHARDS, recoveryShard, recoveryShards } from '../../../lib/core/storage/recovery-index.ts';

const messageIds = Array.from({ length: 400 }, (_, index) => `in-${index}`);

describe('the shards of the recovery index', () => {
  it('are the same for one message in every version: records that are stored are found by them', () => {
    expect(recoveryShards('orders').at(0)).toBe('orders#00');
    expect(recoveryShards('orders').at(-1)).toBe('orders#15');
    expect(recoveryShard('orders', 'in-1')).toBe('orders#06');
  });

  it('hold every record of their endpoint, and none of another', () => {
    const shards = recoveryShards('orders');
    expect(new Set(shards).size).toBe(RECOVERY_SHARDS);
    for (const messageId of messageIds) expect(shards).toContain(recoveryShard('orders', messageId));
    expect(shards.filter((shard) => recoveryShards('order').includes(shard))).toEqual([]);
  });

  it('share the records of their endpoint', () => {
    const used = new Set(messageIds.map((messageId) => recoveryShard('orders', messageId)));
    expect(used.size).toBe(RECOVERY_SHARDS);
  });

  it('read in the order of their numbers', () => {
    expect(recoveryShards('orders').toSorted()).toEqual(recoveryShards('orders'));
  });
});
