import type { EmbeddedWrite } from '../../../core/embedded/embedded-write.ts';
import { sagaKey } from '../../../core/storage/keys.ts';
import { relayIndex, relayShard } from '../../../core/storage/relay-index.ts';
import type { StoredAttributes } from '../../../core/storage/stored-attributes.ts';
import type { Outbox } from '../outbox/outbox-item.ts';
import type { Table } from '../table.ts';

/** The attributes that an item is in the relay index by. */
export const indexKeyNames = [relayIndex.partitionKeyName, relayIndex.sortKeyName] as const;

/** Whether items of sagas are in the relay index: their table is the outbox table, which has it. */
export function isIndexed(
  { tableName }: Pick<Table, 'tableName'>,
  outbox: Pick<Outbox, 'table' | 'relayIndex'> | undefined,
): boolean {
  return outbox?.relayIndex === true && outbox.table.tableName === tableName;
}

/**
 * What a commit sets for the index: by the oldest that may be pending then. Without anything of its own to be sent it
 * leaves the item where it is.
 */
export function indexKey({ saga, endpoint, read, pending, at }: EmbeddedWrite): StoredAttributes {
  if (pending.length === 0) return {};
  const times = [at, ...[...(read?.pending.values() ?? [])].map(({ storedAt }) => storedAt)];
  const oldest = new Date(Math.min(...times.map((time) => time.getTime())));
  return {
    recoveryShard: { S: relayShard(endpoint, sagaKey(saga).partition) },
    storedAt: { S: oldest.toISOString() },
  };
}
