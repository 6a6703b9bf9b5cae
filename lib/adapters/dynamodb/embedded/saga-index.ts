import type { EmbeddedWrite } from '../../../core/embedded/embedded-write.ts';
import { sagaKey } from '../../../core/storage/keys.ts';
import { relayIndex, relayShard } from '../../../core/storage/relay-index.ts';
import type { StoredAttributes } from '../../../core/storage/stored-attributes.ts';
import type { Outbox } from '../outbox/outbox-item.ts';
import type { Table } from '../table.ts';

/**
 * Without it an item is in no relay index. The other part of the key is the same for all messages of a saga: it stays
 * in the item, as a statement removes one attribute.
 */
export const indexedBy = relayIndex.sortKeyName;

/** What tells of the relay indexes of an endpoint's tables. */
export interface RelayIndexes {
  readonly outbox: Pick<Outbox, 'table' | 'relayIndex'> | undefined;
  /** Whether a saga table of its own has one. @default false */
  readonly sagaRelayIndex?: boolean | undefined;
}

/** Whether items of sagas are in a relay index: that of the outbox table, where it is their table too, or their own. */
export function isIndexed(
  { tableName }: Pick<Table, 'tableName'>,
  { outbox, sagaRelayIndex = false }: RelayIndexes,
): boolean {
  return outbox?.table.tableName === tableName ? outbox.relayIndex === true : sagaRelayIndex;
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
