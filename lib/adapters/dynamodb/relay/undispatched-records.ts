import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { OutboxRecord } from '../../../core/outbox/commit.ts';
import type { SentBitmap } from '../../../core/outbox/sent-bitmap.ts';
import type { Lease } from '../../../core/saga/lease.ts';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import { type Item, keyAttributes, leaseAttribute } from '../../../core/storage/item-attributes.ts';
import { messageIdOfPartition } from '../../../core/storage/keys.ts';
import type { ClaimOutcome, ClaimTerms, UndispatchedRecords } from '../../../ports.ts';
import { updateItem } from '../calls/conditional-write.ts';
import type { ReadBatcher } from '../calls/read-batcher.ts';
import { type Outbox, recordTarget } from '../outbox/outbox-item.ts';
import { isOurs, isUndispatched, writeSent } from '../outbox/sent-progress.ts';

/**
 * A strategy to find the undispatched records of one endpoint: the keys of each, and its `messageId` where
 * the search reads that. The signal ends it early, without an error.
 */
export type UndispatchedSearch = (
  storedBefore: Date,
  meter: CapacityMeter,
  signal?: AbortSignal,
) => AsyncIterable<Item>;

export interface DynamoDBUndispatchedRecordsOptions {
  client: DynamoDBClient;
  outbox: Pick<Outbox, 'table' | 'endpoint'>;
  search: UndispatchedSearch;
  reads: ReadBatcher;
}

const names = { '#dispatched': 'dispatched', '#lease': 'lease' };
const isFree = 'attribute_not_exists(#lease) OR #lease.#until < :now';
const isPostponed = '#lease.#postponed = :true';

/** Finds records by a strategy, and leases them in their own items. */
export class DynamoDBUndispatchedRecords implements UndispatchedRecords {
  readonly #options: DynamoDBUndispatchedRecordsOptions;

  constructor(options: DynamoDBUndispatchedRecordsOptions) {
    this.#options = options;
  }

  async *find(
    storedBefore: Date,
    meter: CapacityMeter,
    signal?: AbortSignal,
    onStoredAt?: (messageId: string, storedAt: Date) => void,
  ): AsyncGenerator<string> {
    for await (const item of this.#options.search(storedBefore, meter, signal)) {
      const messageId = await this.#messageIdOf(item, meter);
      if (messageId === undefined) continue;
      if (item.storedAt?.S !== undefined) onStoredAt?.(messageId, new Date(item.storedAt.S));
      yield messageId;
    }
  }

  async claim(
    messageId: string,
    lease: Lease,
    now: Date,
    meter: CapacityMeter,
    { includePostponed = false }: ClaimTerms = {},
  ): Promise<ClaimOutcome> {
    const update = {
      ...recordTarget(this.#options.outbox, messageId),
      UpdateExpression: 'SET #lease = :lease',
      // A record that is gone has no attribute to compare: it is refused too.
      ConditionExpression: `${isUndispatched} AND (${includePostponed ? `${isFree} OR ${isPostponed}` : isFree})`,
      ExpressionAttributeNames: {
        ...names,
        '#until': 'until',
        ...(includePostponed && { '#postponed': 'postponed' }),
      },
      ExpressionAttributeValues: {
        ':false': { BOOL: false },
        ':now': { N: String(now.getTime()) },
        ':lease': leaseAttribute(lease),
        ...(includePostponed && { ':true': { BOOL: true } }),
      },
    };
    const { refusal } = await updateItem(this.#options.client, update, meter);
    if (refusal === undefined) return 'claimed';
    if (refusal.Item?.dispatched?.BOOL !== false) return 'settled';
    const held = refusal.Item.lease?.M;
    // The SDK sent it twice, after the answer to the first one got lost: the lease is ours.
    if (held?.owner?.S === lease.owner) return 'claimed';
    return held?.postponed?.BOOL === true ? 'postponed' : 'held';
  }

  async postpone(
    record: Pick<OutboxRecord, 'messageId' | 'sent'>,
    lease: Lease,
    meter: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void> {
    if (sent) return void (await writeSent(this.#options, record, sent, meter, lease));
    await this.#whileOurs(record.messageId, lease, meter, {
      UpdateExpression: 'SET #lease = :lease',
      ExpressionAttributeValues: { ':lease': leaseAttribute(lease) },
    });
  }

  async release(messageId: string, lease: Lease, meter: CapacityMeter): Promise<void> {
    await this.#whileOurs(messageId, lease, meter, { UpdateExpression: 'REMOVE #lease' });
  }

  async #whileOurs(
    messageId: string,
    { owner }: Lease,
    meter: CapacityMeter,
    update: Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeValues'>,
  ): Promise<void> {
    const conditioned = {
      ...recordTarget(this.#options.outbox, messageId),
      ...update,
      ConditionExpression: `${isUndispatched} AND ${isOurs}`,
      ExpressionAttributeNames: { ...names, '#owner': 'owner' },
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ':false': { BOOL: false },
        ':owner': { S: owner },
      },
    };
    await updateItem(this.#options.client, conditioned, meter);
  }

  /** `undefined` for a record with a hashed key that was dispatched, or expired, since it was found. */
  async #messageIdOf(item: Item, meter: CapacityMeter): Promise<string | undefined> {
    const { outbox, reads } = this.#options;
    const { table, endpoint } = outbox;
    const partition = item[table.partitionKeyName]?.S ?? '';
    const messageId = messageIdOfPartition(endpoint, partition) ?? item.messageId?.S;
    if (messageId !== undefined) return messageId;
    const key = keyAttributes(table, { partition, sort: item[table.sortKeyName]?.S ?? '' });
    const read = await reads.read({ tableName: table.tableName, key, consistentRead: true, meter });
    return read?.messageId?.S;
  }
}
