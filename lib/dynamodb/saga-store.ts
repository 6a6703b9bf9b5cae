import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { CapacityMeter } from '../core/capacity-meter.ts';
import { type SagaIdentity, sagaKey } from '../core/keys.ts';
import type { StoredSaga } from '../core/saga-state.ts';
import type { SagaStore } from '../ports.ts';
import type { StateMapper } from './mapper.ts';
import { fromSagaItem } from './saga-item.ts';
import { callDynamoDB } from './service-errors.ts';
import { keyAttributes, type Table } from './table.ts';

export interface DynamoDBSagaStoreOptions {
  client: DynamoDBClient;
  table: Table;
  mapper: StateMapper;
  /**
   * `false`: at half the price, and sometimes old: a version whose commit is refused, or a miss.
   *
   * @default true
   */
  consistentRead?: boolean;
}

/** Loads sagas without a lock; the commit checks the version that was read here. */
export class DynamoDBSagaStore implements SagaStore {
  readonly #options: DynamoDBSagaStoreOptions;

  constructor(options: DynamoDBSagaStoreOptions) {
    this.#options = options;
  }

  async load(saga: SagaIdentity, meter: CapacityMeter, certain = false): Promise<StoredSaga | undefined> {
    const { consistentRead = true } = this.#options;
    const stored = await this.#read(saga, meter, consistentRead);
    if (stored || consistentRead || !certain) return stored;
    return await this.#read(saga, meter, true);
  }

  async #read(saga: SagaIdentity, meter: CapacityMeter, consistentRead: boolean) {
    const { client, table, mapper } = this.#options;
    const command = new GetItemCommand({
      TableName: table.tableName,
      Key: keyAttributes(table, sagaKey(saga)),
      ConsistentRead: consistentRead,
      ReturnConsumedCapacity: 'TOTAL',
    });
    const output = await callDynamoDB('GetItem', [table.tableName], () => client.send(command));
    meter.addRead(output.ConsumedCapacity?.CapacityUnits);
    return output.Item && fromSagaItem(output.Item, saga, mapper);
  }
}
