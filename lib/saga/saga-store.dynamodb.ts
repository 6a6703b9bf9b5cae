import type { ReadBatcher } from '../dynamodb/calls/read-batcher.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { keyAttributes } from '../dynamodb/item-attributes.ts';
import { type SagaIdentity, sagaKey } from '../dynamodb/keys.ts';
import { loadedSaga, type SagaReader } from './item/read-saga-item.dynamodb.ts';
import type { LoadCertainty, LoadedSaga, SagaStore } from './saga-store.ts';

export interface DynamoDBSagaStoreOptions extends SagaReader {
  reads: ReadBatcher;
  /**
   * Whether reads are strongly consistent. `false` takes half the units, and may find an old version, whose
   * commit is refused, or no saga.
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

  async load(
    saga: SagaIdentity,
    meter: CapacityMeter,
    certainty: LoadCertainty = 'none',
  ): Promise<LoadedSaga> {
    const consistentRead = this.#options.consistentRead !== false || certainty === 'all';
    const loaded = await this.#read(saga, meter, consistentRead);
    if (loaded.stored || consistentRead || certainty === 'none') return loaded;
    return await this.#read(saga, meter, true);
  }

  async #read(saga: SagaIdentity, meter: CapacityMeter, consistentRead: boolean) {
    const { reads, table } = this.#options;
    const key = keyAttributes(table, sagaKey(saga));
    const item = await reads.read({ tableName: table.tableName, key, consistentRead, meter });
    return loadedSaga(item, saga, this.#options);
  }
}
