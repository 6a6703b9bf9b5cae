import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { callDynamoDB } from '../../dynamodb/calls/service-errors.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { type Item, keyAttributes } from '../../dynamodb/item-attributes.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import { isHashedValue, type SagaIdentity, sagaKey, sagaPartitionPrefix } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { embeddedItem } from '../../outbox/embedded/embedded-item.ts';
import { commitIdOf } from '../../saga/item/commit-ids.ts';
import type { LoadedSaga } from '../../saga/saga-store.ts';
import { jsonValue } from '../stored/json-value.ts';
import { loadedItem, type UnreadableState } from '../stored/loaded-item.ts';
import { type LeaseSummary, leaseSummary, type SagaSummary, sagaSummary } from '../stored/saga-summary.ts';

export interface ShownSaga extends SagaSummary {
  readonly commitId: string | undefined;
  readonly itemBytes: number;
  readonly isCompressed: boolean;
  /** Of a saga whose item keeps the messages that were handled. */
  readonly embedded?: EmbeddedSummary;
  /** As JSON; undefined if it cannot be read. */
  readonly state: unknown;
  /** Why not. */
  readonly problem?: UnreadableState;
}

/** What is at the key of a saga; nothing, or a lock on a saga that somebody is about to create. */
export interface FoundSaga {
  /** The partition key of its item, if there is one. */
  readonly partition: string;
  readonly saga?: ShownSaga;
  readonly lock?: LeaseSummary;
  /** Of one that has ended, and knows its messages still. */
  readonly ended?: EmbeddedSummary & { readonly expiresAt: string | undefined };
}

export async function readSaga(
  client: DynamoDBClient,
  table: Table,
  saga: SagaIdentity,
  meter: CapacityMeter,
): Promise<FoundSaga> {
  const now = new Date();
  for (const partition of partitionsOf(saga)) {
    const item = await readItem(client, table, partition, meter);
    if (item && isTombstone(item)) {
      const { loaded } = loadedItem(item, saga, table);
      const expiresAt = loaded?.item?.expiresAt?.toISOString();
      return { partition, ended: { ...embeddedSummary(loaded), expiresAt } };
    }
    if (item?.version !== undefined) return { partition, saga: shown(item, saga, table, now) };
    const lock = item && leaseSummary(item, now);
    if (lock) return { partition, lock };
  }
  return { partition: sagaKey(saga).partition };
}

/** How many items are read at most. */
export function readsOf(saga: SagaIdentity): number {
  return partitionsOf(saga).length;
}

/** A hash is taken for a value first, as messages give it, then for that of a longer value. */
function partitionsOf(saga: SagaIdentity): string[] {
  const { partition } = sagaKey(saga);
  return isHashedValue(saga.id) ? [partition, `${sagaPartitionPrefix(saga.name)}${saga.id}`] : [partition];
}

async function readItem(
  client: DynamoDBClient,
  table: Table,
  partition: string,
  meter: CapacityMeter,
): Promise<Item | undefined> {
  const { tableName: TableName } = table;
  const Key = keyAttributes(table, { partition, sort: sagaKey({ name: '', id: '' }).sort });
  const command = new GetItemCommand({
    TableName,
    Key,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  });
  const { Item, ConsumedCapacity } = await callDynamoDB('GetItem', [TableName], client.send(command));
  meter.addRead(ConsumedCapacity?.CapacityUnits);
  return Item;
}

function shown(item: Item, identity: SagaIdentity, table: Table, now: Date): ShownSaga {
  return {
    ...sagaSummary(item, now),
    commitId: commitIdOf(item),
    itemBytes: itemSize(item),
    isCompressed: item.encoding !== undefined || item.state?.B !== undefined,
    ...stateOf(item, identity, table),
  };
}

function isTombstone({ version, state, inbox }: Item): boolean {
  return version !== undefined && state === undefined && inbox !== undefined;
}

/** What the item of a saga knows beside its state, if it keeps the messages that were handled. */
export interface EmbeddedSummary {
  readonly endpoint: string;
  /** Ids of messages, those that have expired included. */
  readonly handledMessages: number;
  readonly pending: readonly { readonly messageId: string; readonly storedAt: string }[];
  /** Whether its inbox is full, so that further messages have outbox records. */
  readonly isOverflowed: boolean;
  /** Of one whose messages have records, too: since then its messages are known by their records, too. */
  readonly changeover?: string;
}

function embeddedSummary(loaded: LoadedSaga | undefined): EmbeddedSummary {
  const item = embeddedItem(loaded?.item);
  return {
    endpoint: item?.endpoint ?? '',
    handledMessages: item?.inbox?.size ?? 0,
    pending: [...(item?.pending.values() ?? [])].map(({ messageId, storedAt }) => {
      return { messageId, storedAt: storedAt.toISOString() };
    }),
    isOverflowed: item?.isOverflowed === true,
    ...(item?.changeover && { changeover: item.changeover.toISOString() }),
  };
}

function stateOf(
  item: Item,
  identity: SagaIdentity,
  table: Table,
): Pick<ShownSaga, 'state' | 'problem' | 'embedded'> {
  const { loaded, problem } = loadedItem(item, identity, table);
  if (problem) return { state: undefined, problem };
  const embedded = item.inbox && { embedded: embeddedSummary(loaded) };
  return { state: jsonValue(loaded?.stored?.readState()), ...embedded };
}
