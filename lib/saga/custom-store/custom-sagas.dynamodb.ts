import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { transactionItemProblem } from '../../sending/transaction-item.ts';
import type { StateMapper } from '../item/mapper.dynamodb.ts';
import { stateAttributes, storedState } from '../item/read-saga-item.dynamodb.ts';
import type { SagaRevision } from '../item/saga-revision.ts';
import type { SagaCheck, SagaStateWrite, SagaWrite } from '../saga-state.ts';
import type { LoadedSaga, SagaStore } from '../saga-store.ts';
import type { CustomSagaChange, CustomSagaStore, CustomStoredSaga } from './custom-saga-store.dynamodb.ts';
import { invalidSagaStore } from './invalid-saga-store.dynamodb.ts';
import { detailsOf, noDetails, readDetails } from './saga-details.dynamodb.ts';

/** A placeholder: sagas in a user's store have no creation time, which only contributions need. */
const createdAt = new Date(0);

/** The port to sagas that a user's store keeps. */
export class CustomSagas implements SagaStore {
  readonly hasVersions: boolean;
  readonly #store: CustomSagaStore;
  readonly #mapper: StateMapper;
  /** The sagas that the store returned, by the revision that the write of a saga names. */
  readonly #read = new WeakMap<SagaRevision, CustomStoredSaga>();

  constructor(store: CustomSagaStore, mapper: StateMapper) {
    this.#store = store;
    this.#mapper = mapper;
    this.hasVersions = store.keepsDetails;
  }

  /** @throws SagaboxError `InvalidSagaStore` */
  async load(saga: SagaIdentity): Promise<LoadedSaga> {
    const found = await this.#store.load(saga);
    if (found === undefined) return { stored: undefined, item: undefined };
    if (typeof found !== 'object' || found === null || found.state === undefined)
      throw invalidSagaStore(saga, 'load returned neither undefined nor an object with a state');
    const details = this.#store.keepsDetails ? readDetails(found.details) : noDetails;
    if (typeof details === 'string') throw invalidSagaStore(saga, `load returned a saga whose ${details}`);
    const { version, commitId, timeouts = [], stateVersion } = details;
    const revision = { version, commitId };
    this.#read.set(revision, found);
    const stored = {
      ...storedState(stateAttributes(this.#mapper, { saga, state: found.state }), saga, this.#mapper),
      revision,
      createdAt,
      timeouts,
      ...(stateVersion !== undefined && { stateVersion }),
    };
    return { stored, item: undefined };
  }

  /** @throws SagaboxError `InvalidSagaStore` */
  writesOf(write: SagaWrite | SagaCheck, commitId: string): readonly TransactWriteItem[] {
    const { saga } = write;
    const items: unknown = this.#store.writesOf(this.#changeOf(write, commitId));
    if (!Array.isArray(items)) throw invalidSagaStore(saga, 'writesOf did not return an array');
    for (const [index, item] of items.entries()) {
      const problem = transactionItemProblem(item);
      if (problem) throw invalidSagaStore(saga, `write ${index} of writesOf is refused: ${problem}`);
    }
    return items;
  }

  #changeOf(write: SagaWrite | SagaCheck, commitId: string): CustomSagaChange {
    const { kind, saga } = write;
    const read = write.read && this.#read.get(write.read);
    switch (kind) {
      case 'check':
        return { kind, saga, read };
      case 'complete':
        return { kind, saga, read: read as CustomStoredSaga };
      case 'create':
        return { kind, ...this.#written(write, commitId) };
      case 'update':
        return { kind, ...this.#written(write, commitId), read: read as CustomStoredSaga };
    }
  }

  #written(write: SagaStateWrite, commitId: string) {
    const { saga, timeouts } = write;
    if (timeouts.length > 0 && !this.#store.keepsDetails)
      throw invalidSagaStore(saga, 'it has a timeout, which a store without keepsDetails loses');
    const { readState } = storedState(stateAttributes(this.#mapper, write), saga, this.#mapper);
    return { saga, state: readState(), details: detailsOf(write, commitId) };
  }
}
