import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { isSagaboxError } from '../../../core/failures/errors.ts';
import type { Lease } from '../../../core/saga/lease.ts';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import { keyAttributes } from '../../../core/storage/item-attributes.ts';
import { type SagaIdentity, sagaKey } from '../../../core/storage/keys.ts';
import type { AcquireOutcome, Clock, ExpectedSaga, SagaLocks } from '../../../ports.ts';
import { callDynamoDB } from '../calls/service-errors.ts';
import type { Table } from '../table.ts';
import type { StateMapper } from './mapper.ts';
import { acquireCondition, holdCondition, releaseCondition } from './saga-conditions.ts';
import { fromSagaItem } from './saga-item.ts';

type Item = Record<string, AttributeValue>;

/** How long after its end a lock on a saga that was never created stays: it hinders nobody by then. */
const LEAKED_LOCK_SECONDS = 3600;

export interface DynamoDBSagaLocksOptions {
  client: DynamoDBClient;
  table: Table;
  mapper: StateMapper;
  clock: Clock;
}

/** Leases in the saga items themselves: one conditional write locks a saga and returns it. */
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
    const { table, mapper, clock } = this.#options;
    const condition = acquireCondition(expected, clock.now());
    const timeToLive = expected === 'new' ? ', #timeToLive = :expiresAt' : '';
    const command = new UpdateItemCommand({
      ...this.#target(saga),
      UpdateExpression: `SET #lease = :lease${timeToLive}`,
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeNames: {
        ...condition.ExpressionAttributeNames,
        ...(expected === 'new' && { '#timeToLive': table.timeToLiveAttributeName }),
      },
      ExpressionAttributeValues: {
        ...condition.ExpressionAttributeValues,
        ':lease': leaseAttribute(lease),
        ...(expected === 'new' && { ':expiresAt': leakedLockExpiry(lease) }),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      const output = await this.#call('UpdateItem', () => this.#options.client.send(command));
      meter.addWrite(output.ConsumedCapacity?.CapacityUnits);
      return { outcome: 'acquired', stored: fromSagaItem(output.Attributes ?? {}, saga, mapper) };
    } catch (error) {
      if (isRefusal(error)) return { outcome: 'held', until: undefined, cause: error };
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return this.#refused(error.Item, saga, lease, expected);
    }
  }

  async renew(saga: SagaIdentity, lease: Lease, meter: CapacityMeter): Promise<boolean> {
    const condition = holdCondition(lease);
    const command = new UpdateItemCommand({
      ...this.#target(saga),
      ...condition,
      UpdateExpression: 'SET #lease = :lease',
      ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':lease': leaseAttribute(lease) },
    });
    return await this.#whileHeld(async () => {
      const output = await this.#call('UpdateItem', () => this.#options.client.send(command));
      meter.addWrite(output.ConsumedCapacity?.CapacityUnits);
    });
  }

  async release(
    saga: SagaIdentity,
    lease: Lease,
    expected: ExpectedSaga,
    meter: CapacityMeter,
  ): Promise<void> {
    const { client } = this.#options;
    const held = { ...this.#target(saga), ...releaseCondition(lease, expected) };
    await this.#whileHeld(async () => {
      const output = await this.#call('the release', () =>
        expected === 'new'
          ? client.send(new DeleteItemCommand(held))
          : client.send(new UpdateItemCommand({ ...held, UpdateExpression: 'REMOVE #lease' })),
      );
      meter.addWrite(output.ConsumedCapacity?.CapacityUnits);
    });
  }

  #refused(item: Item | undefined, saga: SagaIdentity, lease: Lease, expected: ExpectedSaga): AcquireOutcome {
    const holder = item?.lease?.M;
    // The SDK sent it twice, after the answer to the first one got lost: the lease is ours.
    if (item && holder?.owner?.S === lease.owner) {
      return { outcome: 'acquired', stored: fromSagaItem(item, saga, this.#options.mapper) };
    }
    const exists = item?.version !== undefined;
    if (exists !== (expected === 'existing')) return { outcome: 'unexpected' };
    const until = holder?.until?.N;
    return { outcome: 'held', until: until === undefined ? undefined : new Date(Number(until)) };
  }

  #target(saga: SagaIdentity) {
    const { table } = this.#options;
    return {
      TableName: table.tableName,
      Key: keyAttributes(table, sagaKey(saga)),
      ReturnConsumedCapacity: 'TOTAL',
    } as const;
  }

  async #call<T>(operation: string, send: () => Promise<T>): Promise<T> {
    return await callDynamoDB(operation, [this.#options.table.tableName], send);
  }

  async #whileHeld(write: () => Promise<void>): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}

/** Throttling, and another transaction on the item, are no different from a lease that somebody else has. */
function isRefusal(error: unknown): boolean {
  return isSagaboxError(error) && (error.code === 'Throttled' || error.code === 'TransactionConflict');
}

function leaseAttribute(lease: Lease): AttributeValue {
  return { M: { owner: { S: lease.owner }, until: { N: String(lease.until.getTime()) } } };
}

function leakedLockExpiry(lease: Lease): AttributeValue {
  return { N: String(Math.ceil(lease.until.getTime() / 1000) + LEAKED_LOCK_SECONDS) };
}
