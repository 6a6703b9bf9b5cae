import {
  ANY_OUTBOX_PARTITION_PREFIX,
  contributionSortPrefix,
  outboxChunkKey,
  sagaKey,
} from '../../dynamodb/keys.ts';

/** What the keys of each kind of item begin with, as the runtime makes them, and no others. */
export const keyPrefixes = {
  sagaPartition: prefixOf(sagaKey({ name: 'any', id: 'any' }).partition),
  contributionSort: prefixOf(contributionSortPrefix(new Date(0), 'any')),
  outboxPartition: ANY_OUTBOX_PARTITION_PREFIX,
  chunkSort: prefixOf(outboxChunkKey('any', 'any', 1).sort),
} as const;

function prefixOf(key: string): string {
  return key.slice(0, key.indexOf('#') + 1);
}
