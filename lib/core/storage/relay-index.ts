import { createHash } from 'node:crypto';

/** The sparse index that holds the outbox records which are not dispatched, and nothing else. */
export const relayIndex = {
  indexName: 'Undispatched',
  partitionKeyName: 'recoveryShard',
  sortKeyName: 'storedAt',
} as const;

/**
 * A partition of an index takes 1,000 write units a second, and throttles the table beyond: shards let an
 * endpoint commit and mark 8,000 messages. Source: "Designing partition keys to distribute your workload".
 */
export const RELAY_SHARDS = 16;

/** The partition of the index that the record of a message is in. */
export function relayShard(endpoint: string, messageId: string): string {
  const [first = 0] = createHash('sha256').update(messageId).digest();
  return shardName(endpoint, first % RELAY_SHARDS);
}

/** All partitions of the index that records of an endpoint are in. */
export function relayShards(endpoint: string): string[] {
  return Array.from({ length: RELAY_SHARDS }, (_, index) => shardName(endpoint, index));
}

function shardName(endpoint: string, index: number): string {
  return `${endpoint}#${String(index).padStart(2, '0')}`;
}
