import type { StoredSaga } from '../../core/saga/saga-state.ts';
import { type SagaIdentity, sagaKey } from '../../core/storage/keys.ts';
import type { SagaStore } from '../../ports.ts';
import { isSameState } from '../shared/same-state.ts';
import type { MemoryStorage } from './storage.ts';

/** Reads a state out of what the storage keeps of it. */
export type ReadState = (kept: unknown, saga: SagaIdentity) => Pick<StoredSaga, 'readState' | 'isSame'>;

export class MemorySagaStore implements SagaStore {
  readonly #storage: MemoryStorage;
  readonly #readState: ReadState;

  constructor(storage: MemoryStorage, readState: ReadState = readCopy) {
    this.#storage = storage;
    this.#readState = readState;
  }

  async load(saga: SagaIdentity): Promise<StoredSaga | undefined> {
    return this.read(saga);
  }

  read(saga: SagaIdentity): StoredSaga | undefined {
    const { sagas, embedded } = this.#storage;
    const { partition } = sagaKey(saga);
    const stored = sagas.read(partition) ?? embedded.read(partition)?.saga;
    if (stored === undefined) return undefined;
    const { state, ...others } = stored;
    return { ...this.#readState(state, saga), ...others };
  }
}

/** Of what is kept as it is. */
export function readCopy(kept: unknown): ReturnType<ReadState> {
  const readState = () => structuredClone(kept);
  return { readState, isSame: (other) => isSameState(other, readState()) };
}
