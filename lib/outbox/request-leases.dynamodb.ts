import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { updateItem } from '../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { leaseAttribute, SCHEMA_VERSION } from '../dynamodb/item-attributes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lease } from '../kernel/lease.ts';
import type { Fingerprint } from '../messages/fingerprint.ts';
import type { DynamoDBOutboxStore } from './outbox-store.dynamodb.ts';
import { type OutboxTarget, recordTarget } from './record-item.dynamodb.ts';
import type { RequestLeaseOutcome, RequestLeases } from './request-leases.ts';
import {
  isLeaseOurs,
  isUnstored,
  leaseNames,
  ownerName,
  unstoredNames,
} from './unstored-condition.dynamodb.ts';

/** Seconds for which a lease without a record stays after its end: by then it hinders no request. */
const LEAKED_LEASE_SECONDS = 3600;

export interface DynamoDBRequestLeasesOptions {
  client: DynamoDBClient;
  outbox: OutboxTarget;
  /** Reads a record that is stored in place of a lease. */
  store: DynamoDBOutboxStore;
  clock: Clock;
}

/** Stores a lease in the item of the request's record: one conditional write finds the record, or leases. */
export class DynamoDBRequestLeases implements RequestLeases {
  readonly #options: DynamoDBRequestLeasesOptions;

  constructor(options: DynamoDBRequestLeasesOptions) {
    this.#options = options;
  }

  async tryAcquire(
    requestId: string,
    fingerprint: Fingerprint,
    lease: Lease,
    meter: CapacityMeter,
  ): Promise<RequestLeaseOutcome> {
    const { client, outbox, store, clock } = this.#options;
    const update = {
      ...recordTarget(outbox, requestId),
      UpdateExpression:
        'SET #lease = :lease, #hash = :hash, #schemaVersion = :schemaVersion, #timeToLive = :expiresAt',
      ConditionExpression: `${isUnstored} AND (attribute_not_exists(#lease) OR #lease.#until < :now)`,
      ExpressionAttributeNames: {
        ...unstoredNames,
        ...leaseNames,
        '#until': 'until',
        '#hash': 'hash',
        '#schemaVersion': 'schemaVersion',
        '#timeToLive': outbox.table.timeToLiveAttributeName,
      },
      ExpressionAttributeValues: {
        ':lease': leaseAttribute(lease),
        ':hash': { B: fingerprint },
        ':schemaVersion': { N: String(SCHEMA_VERSION) },
        ':expiresAt': { N: String(Math.ceil(lease.until.getTime() / 1000) + LEAKED_LEASE_SECONDS) },
        ':now': { N: String(clock.now().getTime()) },
      },
    };
    const { refusal } = await updateItem(client, update, meter);
    if (refusal === undefined) return { outcome: 'acquired' };
    const record = refusal.Item && (await store.read(requestId, refusal.Item, meter));
    if (record) return { outcome: 'stored', record };
    const { lease: held, hash } = refusal.Item ?? {};
    // The lease is ours: an earlier attempt of this request took it, or the SDK sent the call twice.
    if (held?.M?.owner?.S === lease.owner) return { outcome: 'acquired' };
    const until = held?.M?.until?.N;
    return {
      outcome: 'held',
      until: until === undefined ? undefined : new Date(Number(until)),
      fingerprint: hash?.B,
    };
  }

  /** Ends the lease, and leaves its item until that expires: a delete would need a permission of its own. */
  async release(requestId: string, { owner }: Lease, meter: CapacityMeter): Promise<void> {
    const { client, outbox } = this.#options;
    const update = {
      ...recordTarget(outbox, requestId),
      UpdateExpression: 'SET #lease.#until = :over',
      ConditionExpression: `${isUnstored} AND ${isLeaseOurs}`,
      ExpressionAttributeNames: { ...unstoredNames, ...leaseNames, ...ownerName, '#until': 'until' },
      ExpressionAttributeValues: { ':over': { N: '0' }, ':owner': { S: owner } },
    };
    await updateItem(client, update, meter);
  }
}
