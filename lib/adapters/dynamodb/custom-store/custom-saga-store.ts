import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SagaIdentity } from '../../../core/storage/keys.ts';

/**
 * Keeps sagas in items of your own, in place of one item each in the saga table. What it writes commits with the
 * record of the message, in one transaction. See docs/guide/custom-saga-store.md.
 *
 * @example
 * ```ts
 * import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
 * import type { CustomSagaStore } from 'sagabox';
 *
 * const client = new DynamoDBClient();
 * const TableName = process.env.ACCOUNTS_TABLE;
 *
 * // One attribute for the whole state, written under the condition that it is as it was read.
 * export const accounts: CustomSagaStore<{ balance: number }> = {
 *   keepsDetails: false,
 *   async load({ id }) {
 *     const Key = { PK: { S: id }, SK: { S: 'ACCOUNT' } };
 *     const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
 *     return Item && { state: { balance: Number(Item.balance?.N) }, version: Number(Item.version?.N) };
 *   },
 *   writesOf(change) {
 *     const Key = { PK: { S: change.saga.id }, SK: { S: 'ACCOUNT' } };
 *     const asRead = {
 *       ConditionExpression: change.read ? '#version = :read' : 'attribute_not_exists(PK)',
 *       ...(change.read && {
 *         ExpressionAttributeNames: { '#version': 'version' },
 *         ExpressionAttributeValues: { ':read': { N: String(change.read.version) } },
 *       }),
 *     };
 *     if (change.kind === 'check') return [{ ConditionCheck: { TableName, Key, ...asRead } }];
 *     if (change.kind === 'complete') return [{ Delete: { TableName, Key, ...asRead } }];
 *     const { state, version } = change;
 *     const Item = { ...Key, balance: { N: String(state.balance) }, version: { N: String(version) } };
 *     return [{ Put: { TableName, Item, ...asRead } }];
 *   },
 * };
 * ```
 */
export interface CustomSagaStore<State = unknown> {
  /**
   * Whether it stores the `details` of a change, and returns them with the saga. Without them a saga can have no
   * timeouts, and no versions of its state: sagabox refuses both with `Configuration`.
   */
  readonly keepsDetails: boolean;
  /**
   * Reads a saga, as all commits before the call have left it: with `ConsistentRead`. What it throws fails the
   * message, which is delivered again.
   *
   * @returns undefined if there is no such saga
   */
  load(saga: SagaIdentity): Promise<CustomStoredSaga<State> | undefined>;
  /**
   * The writes and conditions of a change. A condition that is not met fails the commit with `SagaConcurrency`: the
   * message is handled again, with what `load` returns then. Without a condition, changes of two messages that were
   * handled at the same time are both written.
   */
  writesOf(change: CustomSagaChange<State>): readonly TransactWriteItem[];
}

/** A saga as a store returns it. */
export interface CustomStoredSaga<State = unknown> {
  /** What a state may hold. The handler gets a copy. */
  readonly state: State;
  /**
   * Of the last change. Messages that the saga sends carry the version of their change, as `Sagabox.SagaVersion`.
   *
   * @default 0
   */
  readonly version?: number;
  /** Of the last change, as they were. @default - none */
  readonly details?: SagaDetails | undefined;
}

/** What sagabox stores with a saga, as JSON: its pending timeouts, and the version of its state. */
export type SagaDetails = Readonly<Record<string, unknown>>;

/** What messages did to a saga: one message, or several of a batch, one after another. */
export type CustomSagaChange<State = unknown> =
  /** There was none. */
  | (StateChange<State> & { readonly kind: 'create'; readonly read?: undefined })
  | (StateChange<State> & { readonly kind: 'update'; readonly read: CustomStoredSaga<State> })
  /** It has ended: nothing of it is to be found again. */
  | { readonly kind: 'complete'; readonly saga: SagaIdentity; readonly read: CustomStoredSaga<State> }
  /** Nothing is written: a message was decided on as the saga was read, or was absent. Conditions may hold it to that. */
  | {
      readonly kind: 'check';
      readonly saga: SagaIdentity;
      readonly read?: CustomStoredSaga<State> | undefined;
    };

interface StateChange<State> {
  readonly saga: SagaIdentity;
  readonly state: State;
  /** One more than what was read, for each message of the change. */
  readonly version: number;
  /** Undefined if there are none to keep. */
  readonly details: SagaDetails | undefined;
}
