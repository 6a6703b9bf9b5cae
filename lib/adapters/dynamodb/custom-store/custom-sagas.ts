import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { configurationError } from '../../../core/failures/errors.ts';
import { transactionItemProblem } from '../../../core/outgoing/transaction-item.ts';
import type { PendingTimeout } from '../../../core/saga/pending-timeouts.ts';
import type { SagaRevision } from '../../../core/saga/saga-revision.ts';
import type { SagaCheck, SagaStateWrite, SagaWrite } from '../../../core/saga/saga-state.ts';
import { writtenVersion } from '../../../core/saga/saga-version.ts';
import type { SagaIdentity } from '../../../core/storage/keys.ts';
import type { LoadedSaga, SagaStore } from '../../../ports.ts';
import type { StateMapper } from '../saga/mapper.ts';
import { stateAttributes, storedState } from '../saga/saga-item.ts';
import type {
  CustomSagaChange,
  CustomSagaStore,
  CustomStoredSaga,
  SagaDetails,
} from './custom-saga-store.ts';

interface Details {
  readonly timeouts?: readonly PendingTimeout[];
  readonly stateVersion?: number;
}

/** No write of a store that is not sagabox's rests on it. */
const unknownCreation = new Date(0);

/** Sagas in a store of the user's. */
export class CustomSagas implements SagaStore {
  readonly #store: CustomSagaStore;
  readonly #mapper: StateMapper;
  /** What the store returned, by the revision that the write of the saga names. */
  readonly #read = new WeakMap<SagaRevision, CustomStoredSaga>();

  constructor(store: CustomSagaStore, mapper: StateMapper) {
    this.#store = store;
    this.#mapper = mapper;
  }

  async load(saga: SagaIdentity): Promise<LoadedSaga> {
    const found = await this.#store.load(saga);
    if (found === undefined) return { stored: undefined, item: undefined };
    const { state, version = 0, details = {} } = found;
    const { timeouts = [], stateVersion } = details as Details;
    const revision = { version, commitId: '' };
    this.#read.set(revision, found);
    const stored = {
      ...storedState(stateAttributes(this.#mapper, { saga, state }), saga, this.#mapper),
      revision,
      createdAt: unknownCreation,
      timeouts,
      ...(stateVersion !== undefined && { stateVersion }),
    };
    return { stored, item: undefined };
  }

  /** @throws SagaboxError `Configuration` for what the store does not keep, or what is no write */
  writesOf(write: SagaWrite | SagaCheck): readonly TransactWriteItem[] {
    const items = this.#store.writesOf(this.#changeOf(write));
    for (const [index, item] of items.entries()) {
      const problem = transactionItemProblem(item);
      if (problem)
        throw configurationError(
          `sagaStore: write ${index} of the '${write.saga.name}' saga`,
          problem,
          'Return what a transaction of DynamoDB takes',
        );
    }
    return items;
  }

  #changeOf(write: SagaWrite | SagaCheck): CustomSagaChange {
    const { kind, saga } = write;
    const read = write.read && this.#read.get(write.read);
    if (kind === 'check') return { kind, saga, read };
    if (kind === 'create') return { kind, ...this.#left(write) };
    if (kind === 'complete') return { kind, saga, read: read as CustomStoredSaga };
    return { kind, ...this.#left(write), read: read as CustomStoredSaga };
  }

  #left(write: SagaStateWrite) {
    const { saga } = write;
    const { readState } = storedState(stateAttributes(this.#mapper, write), saga, this.#mapper);
    return {
      saga,
      state: readState(),
      version: writtenVersion(write),
      details: this.#detailsOf(write),
    };
  }

  #detailsOf({ saga, timeouts, stateVersion }: SagaStateWrite): SagaDetails | undefined {
    if (timeouts.length === 0 && stateVersion === undefined) return undefined;
    if (!this.#store.keepsDetails)
      throw configurationError(
        'sagaStore',
        `the '${saga.name}' saga has timeouts or versions of its state, which the store does not keep`,
        'Store the details of each change, return them with the saga, and set keepsDetails: true',
      );
    const details: Details = {
      ...(timeouts.length > 0 && { timeouts }),
      ...(stateVersion !== undefined && { stateVersion }),
    };
    return { ...details };
  }
}
