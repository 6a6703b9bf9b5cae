import type { Lease } from '../../core/saga/lease.ts';
import { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { type SagaIdentity, sagaKey } from '../../core/storage/keys.ts';
import type {
  AcquireOutcome,
  Clock,
  EmbeddedSagas,
  ExpectedSaga,
  SagaLocks,
  SagaStore,
} from '../../ports.ts';
import type { MemoryStorage } from './storage.ts';

const unmetered = new CapacityMeter();

export class MemorySagaLocks implements SagaLocks {
  readonly #storage: MemoryStorage;
  readonly #sagas: SagaStore;
  readonly #clock: Clock;
  readonly #embedded: EmbeddedSagas | undefined;

  /** @param embedded of sagas with an embedded outbox */
  constructor(storage: MemoryStorage, sagas: SagaStore, clock: Clock, embedded?: EmbeddedSagas) {
    this.#storage = storage;
    this.#sagas = sagas;
    this.#clock = clock;
    this.#embedded = embedded;
  }

  async tryAcquire(saga: SagaIdentity, lease: Lease, expected: ExpectedSaga): Promise<AcquireOutcome> {
    const key = sagaKey(saga).partition;
    const held = this.#storage.leases.get(key);
    const { sagas, embedded } = this.#storage;
    const exists = sagas.latest(key) !== undefined || embedded.latest(key) !== undefined;
    if (held?.owner !== lease.owner) {
      if (exists !== (expected === 'existing')) return { outcome: 'unexpected' };
      if (held && held.until >= this.#clock.now()) return { outcome: 'held', until: held.until };
    }
    this.#storage.leases.set(key, lease);
    if (this.#embedded) return { outcome: 'acquired', ...(await this.#embedded.load(saga, unmetered)) };
    return { outcome: 'acquired', stored: await this.#sagas.load(saga, unmetered) };
  }

  async renew(saga: SagaIdentity, lease: Lease): Promise<boolean> {
    const key = sagaKey(saga).partition;
    if (this.#storage.leases.get(key)?.owner !== lease.owner) return false;
    this.#storage.leases.set(key, lease);
    return true;
  }

  async release(saga: SagaIdentity, lease: Lease): Promise<void> {
    const key = sagaKey(saga).partition;
    if (this.#storage.leases.get(key)?.owner === lease.owner) this.#storage.leases.delete(key);
  }
}
