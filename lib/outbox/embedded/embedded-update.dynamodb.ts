import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { writeUnits } from '../../dynamodb/capacity-units.ts';
import type { Encoding } from '../../dynamodb/compression.ts';
import { EMBEDDED_SCHEMA, type Item, keyAttributes } from '../../dynamodb/item-attributes.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import { sagaKey } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { epochSeconds } from '../../kernel/epoch-seconds.ts';
import { commitIdAttribute } from '../../saga/item/commit-ids.ts';
import { compressState } from '../../saga/item/compressed-state.ts';
import type { StateMapper } from '../../saga/item/mapper.dynamodb.ts';
import { stateAttributes } from '../../saga/item/read-saga-item.dynamodb.ts';
import { embeddedAttributes, pendingAttributes } from './embedded-items.ts';
import type { EmbeddedWrite } from './embedded-write.ts';
import { PENDING_ENTRY_BYTES } from './pending-bytes.ts';
import { type Placeholders, UpdateBuilder } from './update-builder.dynamodb.ts';

/**
 * The most entries that a condition names, in the 4 KB of an expression: one that is still pending will do.
 */
const MAX_DEMANDED = 20;

export interface EmbeddedUpdate {
  readonly update: UpdateBuilder;
  /** The size of the item after the update, at most. */
  readonly itemBytes: number;
}

export interface EmbeddedTargets {
  readonly table: Table;
  readonly mapper: StateMapper;
  readonly compressesState: boolean;
}

/**
 * Returns the update of a saga's item by the paths that the update changes: meanwhile marks may remove
 * pending entries, and leases come and go.
 *
 * @param commitId a UUID
 */
export function embeddedUpdate(
  write: EmbeddedWrite,
  targets: EmbeddedTargets,
  commitId: string,
): EmbeddedUpdate {
  const { schema, read, state, expiresAt, leaseOwner, mustBePending } = write;
  const pending = pendingAttributes(write.inbox, write.pending);
  const attributes = embeddedAttributes(write, commitId);
  const update = new UpdateBuilder();
  for (const [name, value] of Object.entries(attributes)) update.set([name], value);
  const hadPending = read?.schema === 'embedded';
  if (schema === 'embedded' && !hadPending) update.set(['pending'], { M: pending });
  if (hadPending) for (const [key, entry] of Object.entries(pending)) update.set(['pending', key], entry);

  const otherBytes = bytesBesideState(write, targets, { ...attributes, pending: { M: pending } });
  let itemBytes = Math.max(otherBytes, read?.bytes ?? 0);
  // The `state` attribute itself tells how an item with an embedded outbox stores the state.
  let mayHaveEncoding = state === 'kept' && schema === 'records';
  if (typeof state === 'object') {
    const value = stateAttribute(write, targets, otherBytes);
    mayHaveEncoding = schema === 'records' && value.B !== undefined;
    if (mayHaveEncoding) update.set(['encoding'], { S: 'br' satisfies Encoding });
    itemBytes = otherBytes + itemSize({ state: value });
    update.set(['state'], value);
    if (read?.hasTimeouts && attributes.timeouts === undefined) update.remove(['timeouts']);
  } else if (state === 'none' && read && !read.isTombstone) {
    for (const name of ['state', 'stateVersion', 'timeouts', 'createdAt']) update.remove([name]);
  }
  if (read?.schema === 'records' && !mayHaveEncoding) update.remove(['encoding']);
  if (read?.changeover && !write.changeover) update.remove(['changeover']);
  if (read?.isOverflowed && !write.isOverflowed) update.remove(['overflowed']);
  const timeToLive = [targets.table.timeToLiveAttributeName];
  if (expiresAt) update.set(timeToLive, { N: String(epochSeconds(expiresAt)) });
  // The time to live of a tombstone, or of a lock that stands where the saga is going to be.
  else if (read?.isTombstone !== false) update.remove(timeToLive);

  if (read === undefined) update.require(['version'], false);
  else {
    update.requireValue(['version'], { N: String(read.revision.version) });
    update.requireValue(['commitId'], commitIdAttribute(read.revision));
  }
  if (leaseOwner !== undefined) {
    update.remove(['lease']);
    update.requireValue(['lease', 'owner'], { S: leaseOwner });
  }
  if (mustBePending) {
    const keys = mustBePending.slice(0, MAX_DEMANDED);
    const isPending = (of: Placeholders) => (key: string) => `attribute_exists(${of.path(['pending', key])})`;
    update.add((of) => ({ condition: keys.map(isPending(of)).join(' OR ') }));
  }
  return { update, itemBytes };
}

/** Returns the state, compressed if that is smaller and the item would take more than one write unit. */
function stateAttribute(
  { saga, state }: EmbeddedWrite,
  { mapper, compressesState }: EmbeddedTargets,
  otherBytes: number,
): AttributeValue {
  const plain = stateAttributes(mapper, { saga, state: (state as { state: unknown }).state });
  const plainBytes = itemSize({ state: { M: plain } });
  if (!compressesState || writeUnits(otherBytes + plainBytes) === 1) return { M: plain };
  const compressed = compressState(plain);
  return compressed && compressed.byteLength < plainBytes ? { B: compressed } : { M: plain };
}

/** Returns the most bytes of an item beside its state: entries that were pending before may be marked. */
function bytesBesideState({ saga, read }: EmbeddedWrite, { table }: EmbeddedTargets, written: Item): number {
  const kept = {
    endpoint: { S: read?.endpoint ?? '' },
    schemaVersion: { N: String(EMBEDDED_SCHEMA) },
    createdAt: { N: String(epochSeconds(new Date(0))) },
  };
  const pendingBefore = [...(read?.pending.values() ?? [])];
  const bytes = itemSize({ ...keyAttributes(table, sagaKey(saga)), ...kept, ...written });
  return pendingBefore.reduce((sum, { packed }) => sum + PENDING_ENTRY_BYTES + packed.byteLength, bytes);
}
