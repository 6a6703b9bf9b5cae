import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { updateItem } from '../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { leaseAttribute } from '../dynamodb/item-attributes.ts';
import type { Lease } from '../kernel/lease.ts';
import type { OutboxRecord, RecordReference } from '../outbox/record.ts';
import { type OutboxTarget, recordTarget } from '../outbox/record-item.dynamodb.ts';
import type { SentBitmap } from '../outbox/sent-bitmap.ts';
import { isOurs, isUndispatched, writeSent } from '../outbox/sent-progress.dynamodb.ts';
import type { ClaimOutcome, ClaimTerms, UndispatchedRecords } from './undispatched-records.ts';

export interface RecordLeasesOptions {
  client: DynamoDBClient;
  outbox: Pick<OutboxTarget, 'table' | 'endpoint'>;
}

const names = { '#dispatched': 'dispatched', '#lease': 'lease' };
const isFree = 'attribute_not_exists(#lease) OR #lease.#until < :now';
const isPostponed = '#lease.#postponed = :true';

/** The leases of records that are items of their own, stored in these items. */
export class RecordLeases implements Omit<UndispatchedRecords, 'find' | 'unlist'> {
  readonly #options: RecordLeasesOptions;

  constructor(options: RecordLeasesOptions) {
    this.#options = options;
  }

  async claim(
    { messageId }: RecordReference,
    lease: Lease,
    now: Date,
    meter: CapacityMeter,
    { includePostponed = false }: ClaimTerms = {},
  ): Promise<ClaimOutcome> {
    const update = {
      ...recordTarget(this.#options.outbox, messageId),
      UpdateExpression: 'SET #lease = :lease',
      // A record that is gone has no attribute to compare: its claim is refused too.
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
    // The SDK sent the call twice, after the answer to the first one got lost: the lease is ours.
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

  async release({ messageId }: RecordReference, lease: Lease, meter: CapacityMeter): Promise<void> {
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
}
