import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Lease } from '../../kernel/lease.ts';
import type { AcquireOutcome, ExpectedSaga, SagaLocks } from '../../saga/saga-locks.ts';
import type { SagaStore } from '../../saga/saga-store.ts';
import type { MemoryStorage } from './storage.ts';

const unmetered = new CapacityMeter();

export class MemorySagaLocks implements SagaLocks {
  readonly #storage: MemoryStorage;
  readonly #sagas: SagaStore;
  readonly #clock: Clock;

  constructor(storage: MemoryStorage, sagas: SagaStore, clock: Clock) {
    this.#storage = storage;
    this.#sagas = sagas;
    this.#clock = clock;
  }

  async tryAcquire(saga: SagaIdentity, lease: Lease, expected: ExpectedSaga): Promise<AcquireOutcome> {
    const key = sagaKey(saga).partition;
    const held = this.#storage.leases.get(key);
    const exists = this.#storage.sagaItem(key, 'latest') !== undefined;
    if (held?.owner !== lease.owner) {
      if (exists !== (expected === 'existing')) return { outcome: 'unexpected' };
      if (held && held.until >= this.#clock.now()) return { outcome: 'held', until: held.until };
    }
    this.#storage.leases.set(key, lease);
    return { outcome: 'acquired', ...(await this.#sagas.load(saga, unmetered)) };
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
