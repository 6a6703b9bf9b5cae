import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { keyAttributes } from '../../dynamodb/item-attributes.ts';
import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { CollectedContribution, Contribution } from '../../saga/contribution.ts';
import type { CustomSagas } from '../../saga/custom-store/custom-sagas.dynamodb.ts';
import { contributionItem } from '../../saga/item/contribution-items.ts';
import type { StateMapper } from '../../saga/item/mapper.dynamodb.ts';
import { stateAttributes } from '../../saga/item/read-saga-item.dynamodb.ts';
import { compressedSagaItem, type SagaFields, sagaItem } from '../../saga/item/write-saga-item.ts';
import { commitCondition } from '../../saga/saga-conditions.dynamodb.ts';
import type { SagaCheck, SagaWrite } from '../../saga/saga-state.ts';
import { writtenVersion } from '../../saga/written-version.ts';
import { type Commit, type MessageWrites, messagesOf } from '../commit.ts';
import type { EmbeddedWrite } from '../embedded/embedded-write.ts';
import type { StatementOutcome } from '../embedded/statement-batcher.dynamodb.ts';
import { type OutboxTarget, toChunkItems, toRecordItem } from '../record-item.dynamodb.ts';
import { recordCondition } from '../unstored-condition.dynamodb.ts';
import type { CommitTerms } from './committer.ts';

/**
 * One write of a commit, and its role: a condition that fails means something else for each role.
 * `customSaga` is a write that a user's store makes of a saga; its `index` is the place among the store's
 * writes.
 */
export type PlannedWrite = { readonly item: TransactWriteItem } & (
  | { readonly role: 'saga'; readonly saga: SagaWrite | SagaCheck }
  | { readonly role: 'customSaga'; readonly saga: SagaWrite | SagaCheck; readonly index: number }
  | EmbeddedPlannedWrite
  | { readonly role: 'outbox'; readonly messageId: string }
  | { readonly role: 'chunk' }
  | ({ readonly role: 'contribution' } & PlannedContribution)
  /** `index`: the place among the handler's own writes, in the order in which it added them, from 0. */
  | { readonly role: 'user'; readonly index: number }
);

/** The write of an item with an embedded outbox, with the facts that only its planner knows. */
export interface EmbeddedPlannedWrite {
  readonly role: 'embedded';
  readonly item: TransactWriteItem;
  readonly saga: { readonly kind: 'create' | 'update'; readonly saga: SagaIdentity };
  /** The size of the item after the write, at most. */
  readonly itemBytes: number;
  readonly maximumBytes: number;
  /** Writes the item together with others of the batch, in one call. */
  readonly writeInBatch: (write: SingleWrite) => Promise<StatementOutcome>;
}

/** A write that needs no transaction. */
export interface SingleWrite {
  readonly commitId: string;
  readonly meter: CapacityMeter;
  readonly bytes: number;
  readonly terms: CommitTerms | undefined;
}

/** @param commitId a UUID */
export type PlanEmbedded = (write: EmbeddedWrite, commitId: string) => EmbeddedPlannedWrite;

interface PlannedContribution {
  readonly saga: SagaIdentity;
  readonly key: string;
  /** The size of the item that is deleted. @default - the item is put */
  readonly deletedBytes?: number;
}

export interface WriteTargets {
  readonly sagaTable: Table | undefined;
  /** The user's store of the sagas, in place of the saga table. @default - there is none */
  readonly customSagas?: CustomSagas | undefined;
  readonly outbox: OutboxTarget | undefined;
  readonly mapper: StateMapper;
  /** @default false */
  readonly compressesState?: boolean;
  /** Plans the writes of sagas with an embedded outbox. @default - there are none */
  readonly planEmbedded?: PlanEmbedded | undefined;
}

/** Returns the writes of a commit, as DynamoDB takes them. */
export function planWrites(commit: Commit, targets: WriteTargets, commitId: string): PlannedWrite[] {
  const { sagaTable, customSagas, planEmbedded } = targets;
  const writes: PlannedWrite[] = [];
  if (commit.saga && customSagas) {
    const { saga } = commit;
    const items = customSagas.writesOf(saga, commitId);
    writes.push(...items.map((item, index) => ({ role: 'customSaga' as const, item, saga, index })));
  } else if (commit.saga) {
    if (sagaTable === undefined) throw noTable('sagaTable');
    const item = sagaWrite(commit.saga, sagaTable, targets, commitId, commit.at);
    writes.push({ role: 'saga', item, saga: commit.saga });
  }
  if (commit.embedded) {
    if (planEmbedded === undefined) throw noTable('sagaTable');
    writes.push(planEmbedded(commit.embedded, commitId));
  }
  for (const message of messagesOf(commit)) addMessageWrites(writes, message, targets, commit.at);
  return writes;
}

function addMessageWrites(
  writes: PlannedWrite[],
  { outbox: write, transactionItems, appended, collected }: MessageWrites,
  { outbox, sagaTable }: WriteTargets,
  at: Date,
): void {
  if (write && !write.sagaItem) {
    if (outbox === undefined) throw noTable('outboxTable');
    const { tableName: TableName, partitionKeyName } = outbox.table;
    const isNew = recordCondition(write, partitionKeyName);
    const Item = toRecordItem(outbox, write, at);
    const { messageId } = write;
    writes.push({ role: 'outbox', item: { Put: { TableName, Item, ...isNew } }, messageId });
    // No condition: chunks of an expired record may be left at these keys, and are overwritten.
    for (const Item of toChunkItems(outbox, write)) {
      writes.push({ role: 'chunk', item: { Put: { TableName, Item } } });
    }
  }
  if (appended?.length || collected?.length) {
    if (sagaTable === undefined) throw noTable('sagaTable');
    writes.push(...contributionWrites(sagaTable, appended, collected));
  }
  for (const [index, item] of transactionItems.entries()) writes.push({ role: 'user', item, index });
}

/**
 * Returns the puts of appended contributions, and the deletes of collected ones. A collected one must still be
 * there: a handler may have read it before another commit collected it, and the saga after that commit. A put
 * needs no condition: that of the record keeps a message from appending twice.
 */
function contributionWrites(
  table: Table,
  appended: readonly Contribution[] = [],
  collected: readonly CollectedContribution[] = [],
): PlannedWrite[] {
  const { tableName: TableName, partitionKeyName } = table;
  const isThere = {
    ConditionExpression: 'attribute_exists(#partitionKey)',
    ExpressionAttributeNames: { '#partitionKey': partitionKeyName },
  };
  const puts = appended.map((contribution): PlannedWrite => {
    const item = { Put: { TableName, Item: contributionItem(table, contribution) } };
    const { saga, key } = contribution;
    return { role: 'contribution', item, saga, key };
  });
  const deletes = collected.map(({ saga, key, item, bytes: deletedBytes }): PlannedWrite => {
    return {
      role: 'contribution',
      item: { Delete: { TableName, Key: keyAttributes(table, item), ...isThere } },
      saga,
      key,
      deletedBytes,
    };
  });
  return [...puts, ...deletes];
}

function sagaWrite(
  write: SagaWrite | SagaCheck,
  table: Table,
  { mapper, compressesState }: WriteTargets,
  commitId: string,
  at: Date,
): TransactWriteItem {
  const TableName = table.tableName;
  const condition = commitCondition(write);
  const Key = keyAttributes(table, sagaKey(write.saga));
  if (write.kind === 'check') return { ConditionCheck: { TableName, Key, ...condition } };
  if (write.kind === 'complete') return { Delete: { TableName, Key, ...condition } };
  const isNew = write.kind === 'create';
  // The whole item is put anew: the lease and the time to live of a lock go with the old one.
  const fields: SagaFields = {
    saga: write.saga,
    state: stateAttributes(mapper, write),
    stateVersion: write.stateVersion,
    version: writtenVersion(write),
    commitId,
    createdAt: isNew ? at : write.createdAt,
    updatedAt: at,
    timeouts: write.timeouts,
  };
  const Item = compressesState
    ? compressedSagaItem(table, fields, write.leaseOwner)
    : sagaItem(table, fields);
  return { Put: { TableName, Item, ...condition } };
}

/**
 * Returns one id for each write, the same for the same item; `undefined` if a write is one of a user or a
 * user's store: the keys of such an item are not all known.
 */
export function itemIdsOf(
  writes: readonly PlannedWrite[],
  { sagaTable, outbox }: WriteTargets,
): string[] | undefined {
  const ids: string[] = [];
  for (const { role, item } of writes) {
    const table =
      role === 'saga' || role === 'embedded' || role === 'contribution' ? sagaTable : outbox?.table;
    if (role === 'user' || role === 'customSaga' || table === undefined) return undefined;
    const attributes = item.Put?.Item ?? (item.Update ?? item.Delete ?? item.ConditionCheck)?.Key;
    const [partition, sort] = [attributes?.[table.partitionKeyName], attributes?.[table.sortKeyName]];
    ids.push(`${table.tableName} ${sort?.S} ${partition?.S}`);
  }
  return ids;
}

/** Returns the part of a write that names its table and, except for a put, its key. */
export function keyedPart({ Put, Update, Delete, ConditionCheck }: TransactWriteItem) {
  return Put ?? Update ?? Delete ?? ConditionCheck;
}

function noTable(setting: string): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting,
    problem: 'a message has something to store, and no table is given for it',
    remedy: 'Give the table',
  });
}
