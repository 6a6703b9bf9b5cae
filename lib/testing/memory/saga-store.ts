import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import type { StoredSaga } from '../../saga/saga-state.ts';
import type { LoadedSaga, SagaStore } from '../../saga/saga-store.ts';
import { isSameState } from '../../saga/same-state.ts';
import type { MemoryStorage } from './storage.ts';

/** Reads a state from the value that the storage keeps. */
export type ReadState = (kept: unknown, saga: SagaIdentity) => Pick<StoredSaga, 'readState' | 'isSame'>;

export class MemorySagaStore implements SagaStore {
  readonly #storage: MemoryStorage;
  readonly #readState: ReadState;

  constructor(storage: MemoryStorage, readState: ReadState = readCopy) {
    this.#storage = storage;
    this.#readState = readState;
  }

  async load(saga: SagaIdentity): Promise<LoadedSaga> {
    return this.read(saga);
  }

  read(saga: SagaIdentity): LoadedSaga {
    const found = this.#storage.sagaItem(sagaKey(saga).partition, 'read');
    if (found === undefined) return { stored: undefined, item: undefined };
    const { saga: kept, ...item } = found;
    if (kept === undefined) return { stored: undefined, item };
    const { state, updatedAt: _updatedAt, ...others } = kept;
    return { stored: { ...this.#readState(state, saga), ...others }, item };
  }
}

/** Reads a state that is kept as it is. */
export function readCopy(kept: unknown): ReturnType<ReadState> {
  const readState = () => structuredClone(kept);
  return { readState, isSame: (other) => isSameState(other, readState()) };
}
