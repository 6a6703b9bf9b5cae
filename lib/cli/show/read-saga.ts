import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { callDynamoDB } from '../../adapters/dynamodb/calls/service-errors.ts';
import { fromEmbeddedItem } from '../../adapters/dynamodb/embedded/embedded-item.ts';
import { defaultMapper } from '../../adapters/dynamodb/saga/mapper.ts';
import { fromSagaItem } from '../../adapters/dynamodb/saga/saga-item.ts';
import type { Table } from '../../adapters/dynamodb/table.ts';
import type { SagaItem } from '../../core/embedded/saga-item.ts';
import { isSagaboxError } from '../../core/failures/errors.ts';
import type { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { EMBEDDED_SCHEMA, type Item, keyAttributes } from '../../core/storage/item-attributes.ts';
import { itemSize } from '../../core/storage/item-size.ts';
import { isHashedValue, type SagaIdentity, sagaKey, sagaPartitionPrefix } from '../../core/storage/keys.ts';
import { uuidOf } from '../../core/storage/uuid-bytes.ts';
import type { LoadedSaga } from '../../ports.ts';
import { jsonValue } from '../stored/json-value.ts';
import { type LeaseSummary, leaseSummary, type SagaSummary, sagaSummary } from '../stored/saga-summary.ts';

export interface ShownSaga extends SagaSummary {
  readonly commitId: string | undefined;
  readonly itemBytes: number;
  readonly isCompressed: boolean;
  /** Of a saga with an embedded outbox. */
  readonly embedded?: EmbeddedSummary;
  /** As JSON; undefined if it cannot be read. */
  readonly state: unknown;
  /** Why not. */
  readonly problem?: { readonly code: string; readonly message: string };
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
      const { loaded } = embeddedOf(item, saga, table);
      const expiresAt = loaded?.item?.expiresAt?.toISOString();
      return { partition, ended: { ...embeddedSummary(loaded?.item), expiresAt } };
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
  const { Item, ConsumedCapacity } = await callDynamoDB('GetItem', [TableName], () => client.send(command));
  meter.addRead(ConsumedCapacity?.CapacityUnits);
  return Item;
}

function shown(item: Item, identity: SagaIdentity, table: Table, now: Date): ShownSaga {
  return {
    ...sagaSummary(item, now),
    commitId: item.commitId?.S ?? (item.commitId?.B && uuidOf(item.commitId.B)),
    itemBytes: itemSize(item),
    isCompressed: item.encoding !== undefined || item.state?.B !== undefined,
    ...(isEmbedded(item) ? embeddedState(item, identity, table) : stateOf(item, identity)),
  };
}

/** Damaged ones are shown too, as far as they can be read. */
function stateOf(item: Item, identity: SagaIdentity): Pick<ShownSaga, 'state' | 'problem'> {
  try {
    return { state: jsonValue(fromSagaItem(item, identity, defaultMapper)?.readState()) };
  } catch (error) {
    if (!isSagaboxError(error)) throw error;
    return { state: undefined, problem: { code: error.code, message: error.message } };
  }
}

function isEmbedded({ schemaVersion }: Item): boolean {
  return schemaVersion?.N === String(EMBEDDED_SCHEMA);
}

function isTombstone(item: Item): boolean {
  return isEmbedded(item) && item.version !== undefined && item.state === undefined;
}

/** What the item of a saga with an embedded outbox knows beside its state. */
export interface EmbeddedSummary {
  readonly endpoint: string;
  /** Ids of messages, those that have expired included. */
  readonly handledMessages: number;
  readonly pending: readonly { readonly messageId: string; readonly storedAt: string }[];
  /** Whether its inbox is full, so that further messages have outbox records. */
  readonly isOverflowed: boolean;
}

function embeddedSummary(item: SagaItem | undefined): EmbeddedSummary {
  return {
    endpoint: item?.endpoint ?? '',
    handledMessages: item?.inbox.size ?? 0,
    pending: [...(item?.pending.values() ?? [])].map(({ messageId, storedAt }) => {
      return { messageId, storedAt: storedAt.toISOString() };
    }),
    isOverflowed: item?.isOverflowed === true,
  };
}

function embeddedState(
  item: Item,
  identity: SagaIdentity,
  table: Table,
): Pick<ShownSaga, 'state' | 'problem' | 'embedded'> {
  const { loaded, problem } = embeddedOf(item, identity, table);
  if (problem) return { state: undefined, problem };
  return { state: jsonValue(loaded?.stored?.readState()), embedded: embeddedSummary(loaded?.item) };
}

/** Damaged ones are shown too, as far as they can be read. */
function embeddedOf(
  item: Item,
  identity: SagaIdentity,
  table: Table,
): { readonly loaded?: LoadedSaga; readonly problem?: ShownSaga['problem'] & object } {
  try {
    return { loaded: fromEmbeddedItem(item, identity, defaultMapper, table) };
  } catch (error) {
    if (!isSagaboxError(error)) throw error;
    return { problem: { code: error.code, message: error.message } };
  }
}
