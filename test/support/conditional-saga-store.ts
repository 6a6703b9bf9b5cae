import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { CustomSagaChange, CustomSagaStore, CustomStoredSaga } from 'sagabox';

/** The sort key of its items. */
export const ownSagaKey = 'OWN';

/** A saga store of a user's own: one item, written under the condition that it is as it was read. */
export class ConditionalSagaStore<State> implements CustomSagaStore<State> {
  readonly keepsDetails: boolean = true;
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  readonly #onChange: ((change: CustomSagaChange<State>) => void) | undefined;

  constructor(
    client: DynamoDBClient,
    tableName: string,
    onChange?: (change: CustomSagaChange<State>) => void,
  ) {
    this.#client = client;
    this.#tableName = tableName;
    this.#onChange = onChange;
  }

  async load({ id }: { readonly id: string }): Promise<CustomStoredSaga<State> | undefined> {
    const target = { TableName: this.#tableName, Key: this.#key(id), ConsistentRead: true };
    const { Item } = await this.#client.send(new GetItemCommand(target));
    return Item && JSON.parse(Item.saga?.S ?? '');
  }

  writesOf(change: CustomSagaChange<State>): TransactWriteItem[] {
    this.#onChange?.(change);
    const target = { TableName: this.#tableName, Key: this.#key(change.saga.id) };
    const asRead =
      change.read === undefined
        ? { ConditionExpression: 'attribute_not_exists(PK)' }
        : {
            ConditionExpression: 'commitId = :read',
            ExpressionAttributeValues: { ':read': { S: String(change.read.details?.commitId) } },
          };
    if (change.kind === 'check') return [{ ConditionCheck: { ...target, ...asRead } }];
    if (change.kind === 'complete') return [{ Delete: { ...target, ...asRead } }];
    const { state, details } = change;
    const commitId = { S: details.commitId };
    const Item = { ...target.Key, commitId, saga: { S: JSON.stringify({ state, details }) } };
    return [{ Put: { TableName: this.#tableName, Item, ...asRead } }];
  }

  #key(id: string) {
    return { PK: { S: `OWN#${id}` }, SK: { S: ownSagaKey } };
  }
}
