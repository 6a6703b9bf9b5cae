import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { writeUnits } from '../dynamodb/capacity-units.ts';
import { type Item, keyAttributes } from '../dynamodb/item-attributes.ts';
import { itemSize } from '../dynamodb/item-size.ts';
import { type SagaIdentity, sagaKey } from '../dynamodb/keys.ts';
import { tableDefaults } from '../dynamodb/table-defaults.ts';
import { epochSeconds } from '../kernel/epoch-seconds.ts';
import { embeddedAttributes, pendingAttributes } from '../outbox/embedded/embedded-items.ts';
import type { EmbeddedWrite } from '../outbox/embedded/embedded-write.ts';
import { compressState } from '../saga/item/compressed-state.ts';
import type { MemorySagaItem } from './memory/storage.ts';

/** In place of that of a commit: ids in memory are shorter than the UUIDs of production. */
export const commitIdOfSize = '00000000-0000-4000-8000-000000000000';

/** Bytes of the item of a saga with an embedded outbox, as DynamoDB would have it; 0 of one without. */
export function storedBytes(identity: SagaIdentity, item: MemorySagaItem, compressesState: boolean): number {
  const { schema, saga, revision, updatedAt: at, inbox, pending, expiresAt } = item;
  if (schema !== 'embedded' || inbox === undefined) return 0;
  const write = {
    ...item,
    version: revision.version,
    at,
    createdAt: saga?.createdAt,
    state: saga === undefined ? 'none' : ({ ...saga, saga: identity } as never),
    pending: [],
  };
  const beside: Item = {
    ...keyAttributes(tableDefaults, sagaKey(identity)),
    ...embeddedAttributes(write as unknown as EmbeddedWrite, commitIdOfSize),
    pending: { M: pendingAttributes(inbox, [...pending.values()] as never) },
    ...(expiresAt && { [tableDefaults.timeToLiveAttributeName]: { N: String(epochSeconds(expiresAt)) } }),
  };
  return (
    itemSize(beside) +
    (saga === undefined ? 0 : stateBytes(saga.state as Item, itemSize(beside), compressesState))
  );
}

/** Compressed, unless the whole item is a single write unit without that. */
function stateBytes(state: Item, besideBytes: number, compressesState: boolean): number {
  const plain = itemSize({ state: { M: state as Record<string, AttributeValue> } });
  if (!compressesState || writeUnits(besideBytes + plain) === 1) return plain;
  const compressed = compressState(state);
  return compressed === undefined ? plain : Math.min(plain, itemSize({ state: { B: compressed } }));
}
