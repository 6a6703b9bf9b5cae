import { type AttributeValue, DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { conditionalWrite, returnedValues, updateItem } from '../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type Item, keyAttributes, leaseAttribute } from '../dynamodb/item-attributes.ts';
import { type SagaIdentity, sagaKey } from '../dynamodb/keys.ts';
import type { Clock } from '../kernel/clock.ts';
import { isSagaboxError } from '../kernel/errors/errors.ts';
import type { Lease } from '../kernel/lease.ts';
import { loadedSaga, type SagaReader } from './item/read-saga-item.dynamodb.ts';
import { acquireCondition, holdCondition, releaseCondition } from './saga-conditions.dynamodb.ts';
import type { AcquireOutcome, ExpectedSaga, SagaLocks } from './saga-locks.ts';
import type { LoadedSaga } from './saga-store.ts';

/** Seconds for which a lock without a saga stays after its end: by then it hinders no message. */
const LEAKED_LOCK_SECONDS = 3600;

export interface DynamoDBSagaLocksOptions extends SagaReader {
  client: DynamoDBClient;
  clock: Clock;
}

/** Stores leases in the saga items themselves: one conditional write locks a saga and returns it. */
export class DynamoDBSagaLocks implements SagaLocks {
  readonly #options: DynamoDBSagaLocksOptions;

  constructor(options: DynamoDBSagaLocksOptions) {
    this.#options = options;
  }

  async tryAcquire(
    saga: SagaIdentity,
    lease: Lease,
    expected: ExpectedSaga,
    meter: CapacityMeter,
  ): Promise<AcquireOutcome> {
    const { client, table, clock } = this.#options;
    const condition = acquireCondition(expected, clock.now());
    const isNew = expected === 'new';
    const update = {
      ...this.#target(saga),
      UpdateExpression: `SET #lease = :lease${isNew ? ', #timeToLive = :expiresAt' : ''}`,
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeNames: {
        ...condition.ExpressionAttributeNames,
        ...(isNew && { '#timeToLive': table.timeToLiveAttributeName }),
      },
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':lease': leaseAttribute(lease),
        ...(isNew && { ':expiresAt': leakedLockExpiry(lease) }),
      },
      ReturnValues: 'ALL_NEW',
    } as const;
    try {
      const { attributes = {}, refusal } = await updateItem(client, update, meter);
      if (refusal) return this.#refused(refusal.Item, saga, lease, expected);
      return { outcome: 'acquired', ...this.#loaded(attributes, saga) };
    } catch (error) {
      if (isRefusal(error)) return { outcome: 'held', until: undefined, cause: error };
      throw error;
    }
  }

  async renew(saga: SagaIdentity, lease: Lease, meter: CapacityMeter): Promise<boolean> {
    const condition = holdCondition(lease);
    const update = {
      ...this.#target(saga),
      ...condition,
      UpdateExpression: 'SET #lease = :lease',
      ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':lease': leaseAttribute(lease) },
    };
    const { refusal } = await updateItem(this.#options.client, update, meter);
    return refusal === undefined;
  }

  async release(
    saga: SagaIdentity,
    lease: Lease,
    expected: ExpectedSaga,
    meter: CapacityMeter,
  ): Promise<void> {
    const { client, table } = this.#options;
    const held = { ...this.#target(saga), ...releaseCondition(lease, expected) };
    if (expected === 'existing') {
      await updateItem(client, { ...held, UpdateExpression: 'REMOVE #lease' }, meter);
    } else {
      const command = new DeleteItemCommand({ ...held, ...returnedValues });
      const { refusal } = await conditionalWrite('DeleteItem', table.tableName, meter, () =>
        client.send(command),
      );
      // Another commit has made the lock a saga, or a tombstone, which still has our lease.
      if (isHeldBy(lease, refusal?.Item)) await this.release(saga, lease, 'existing', meter);
    }
  }

  #refused(item: Item | undefined, saga: SagaIdentity, lease: Lease, expected: ExpectedSaga): AcquireOutcome {
    // The SDK sent the call twice, after the answer to the first one got lost: the lease is ours.
    if (item && isHeldBy(lease, item)) {
      return { outcome: 'acquired', ...this.#loaded(item, saga) };
    }
    const exists = item?.version !== undefined;
    if (exists !== (expected === 'existing')) return { outcome: 'unexpected' };
    const until = item?.lease?.M?.until?.N;
    return { outcome: 'held', until: until === undefined ? undefined : new Date(Number(until)) };
  }

  #loaded(item: Item, saga: SagaIdentity): LoadedSaga {
    return loadedSaga(item, saga, this.#options);
  }

  #target(saga: SagaIdentity) {
    const { table } = this.#options;
    return { TableName: table.tableName, Key: keyAttributes(table, sagaKey(saga)) };
  }
}

function isHeldBy({ owner }: Lease, item: Item | undefined): boolean {
  return item?.lease?.M?.owner?.S === owner;
}

/** Whether an error counts as a lease that another owner holds: throttling, or a transaction on the item. */
function isRefusal(error: unknown): boolean {
  return isSagaboxError(error) && (error.code === 'Throttled' || error.code === 'TransactionConflict');
}

function leakedLockExpiry(lease: Lease): AttributeValue {
  return { N: String(Math.ceil(lease.until.getTime() / 1000) + LEAKED_LOCK_SECONDS) };
}
