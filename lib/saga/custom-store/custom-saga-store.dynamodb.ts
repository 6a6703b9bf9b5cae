import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SagaIdentity } from '../../dynamodb/keys.ts';

/**
 * A store that keeps sagas in items of your own, in place of one item each in the saga table. Its writes
 * commit with the outbox record of the message, in one transaction. See docs/guide/custom-saga-store.md.
 *
 * @example
 * ```ts
 * import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
 * import type { CustomSagaStore } from 'sagabox';
 *
 * const client = new DynamoDBClient();
 * const TableName = process.env.ACCOUNTS_TABLE;
 *
 * export const accounts: CustomSagaStore<{ balance: number }> = {
 *   keepsDetails: true,
 *   async load({ id }) {
 *     const Key = { PK: { S: `ACCOUNT#${id}` }, SK: { S: 'ACCOUNT' } };
 *     const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
 *     return Item && { state: { balance: Number(Item.balance?.N) }, details: JSON.parse(Item.details?.S ?? '') };
 *   },
 *   writesOf(change) {
 *     const Key = { PK: { S: `ACCOUNT#${change.saga.id}` }, SK: { S: 'ACCOUNT' } };
 *     const asRead = change.read
 *       ? {
 *           ConditionExpression: 'commitId = :read',
 *           ExpressionAttributeValues: { ':read': { S: String(change.read.details?.commitId) } },
 *         }
 *       : { ConditionExpression: 'attribute_not_exists(PK)' };
 *     if (change.kind === 'check') return [{ ConditionCheck: { TableName, Key, ...asRead } }];
 *     if (change.kind === 'complete') return [{ Delete: { TableName, Key, ...asRead } }];
 *     const { state, details } = change;
 *     const Item = {
 *       ...Key,
 *       balance: { N: String(state.balance) },
 *       commitId: { S: details.commitId },
 *       details: { S: JSON.stringify(details) },
 *     };
 *     return [{ Put: { TableName, Item, ...asRead } }];
 *   },
 * };
 * ```
 */
export interface CustomSagaStore<State = unknown> {
  /**
   * Whether the store keeps the `details` of a change, and `load` returns them. Without details, a saga has
   * no timeouts, no migrations and no versions: its messages carry no `Sagabox.SagaVersion`.
   */
  readonly keepsDetails: boolean;
  /**
   * Reads a saga with `ConsistentRead`: as all commits before the call have left it. An error that `load`
   * throws fails the message, which is delivered again.
   *
   * @returns undefined if there is no such saga
   */
  load(saga: SagaIdentity): Promise<CustomStoredSaga<State> | undefined>;
  /**
   * Returns the writes and conditions of a change. When a condition does not hold, the commit fails with
   * `SagaConcurrency`, and the message is handled again on what `load` returns then. Without a condition, changes of
   * two messages that were handled at the same time are both written.
   */
  writesOf(change: CustomSagaChange<State>): readonly TransactWriteItem[];
}

/** A saga as `load` returns it. */
export interface CustomStoredSaga<State = unknown> {
  /** A value that a state can hold. The handler gets a copy. */
  readonly state: State;
  /** The details of the last change. @default - the store does not keep them */
  readonly details?: SagaDetails | undefined;
}

/**
 * The data that sagabox stores with a saga, as JSON: its revision, its pending timeouts, and the version of
 * its state.
 */
export interface SagaDetails {
  /**
   * The version of the saga: it rises by one for each message that changes the saga. A saga that starts anew
   * comes to the same versions again.
   */
  readonly version: number;
  /** The id of the commit that writes the saga, a UUID: no other state of a saga has the same. */
  readonly commitId: string;
  readonly [name: string]: unknown;
}

/** The change that one message made to a saga, or several of a batch made one after another. */
export type CustomSagaChange<State = unknown> =
  | {
      readonly kind: 'create';
      readonly saga: SagaIdentity;
      readonly read?: undefined;
      readonly state: State;
      readonly details: SagaDetails;
    }
  | {
      readonly kind: 'update';
      readonly saga: SagaIdentity;
      readonly read: CustomStoredSaga<State>;
      readonly state: State;
      readonly details: SagaDetails;
    }
  /** The saga has ended: delete all its items. */
  | { readonly kind: 'complete'; readonly saga: SagaIdentity; readonly read: CustomStoredSaga<State> }
  /**
   * The saga does not change: the commit is right only while the saga is as `read`, or absent if `read` is.
   */
  | {
      readonly kind: 'check';
      readonly saga: SagaIdentity;
      readonly read?: CustomStoredSaga<State> | undefined;
    };
