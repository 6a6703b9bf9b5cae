import { isSameState, type StoredSaga } from '../../core/saga/saga-state.ts';
import { type SagaIdentity, sagaKey } from '../../core/storage/keys.ts';
import type { SagaStore } from '../../ports.ts';
import type { MemoryStorage } from './storage.ts';

export class MemorySagaStore implements SagaStore {
  readonly #storage: MemoryStorage;

  constructor(storage: MemoryStorage) {
    this.#storage = storage;
  }

  async load(saga: SagaIdentity): Promise<StoredSaga | undefined> {
    const stored = this.#storage.sagas.read(sagaKey(saga).partition);
    if (stored === undefined) return undefined;
    const { state, ...others } = stored;
    const readState = () => structuredClone(state);
    return { readState, isSame: (other) => isSameState(other, readState()), ...others };
  }
}
