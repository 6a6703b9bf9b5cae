import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { outboxRecordKey } from '../../dynamodb/keys.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Lease } from '../../kernel/lease.ts';
import type { Fingerprint } from '../../messages/fingerprint.ts';
import type { OutboxStore } from '../../outbox/outbox-store.ts';
import type { RequestLeaseOutcome, RequestLeases } from '../../outbox/request-leases.ts';
import type { MemoryStorage } from './storage.ts';

export class MemoryRequestLeases implements RequestLeases {
  readonly #storage: MemoryStorage;
  readonly #endpoint: string;
  readonly #outbox: OutboxStore;
  readonly #clock: Clock;

  constructor(storage: MemoryStorage, endpoint: string, outbox: OutboxStore, clock: Clock) {
    this.#storage = storage;
    this.#endpoint = endpoint;
    this.#outbox = outbox;
    this.#clock = clock;
  }

  async tryAcquire(
    requestId: string,
    fingerprint: Fingerprint,
    lease: Lease,
    meter: CapacityMeter,
  ): Promise<RequestLeaseOutcome> {
    const { records, requestLeases } = this.#storage;
    const key = this.#key(requestId);
    const isStored = records.latest(key) !== undefined;
    const record = isStored ? await this.#outbox.find(requestId, meter) : undefined;
    if (record) return { outcome: 'stored', record };
    const held = requestLeases.get(key);
    const isFree = held === undefined || held.until < this.#clock.now() || held.owner === lease.owner;
    if (!isFree) return { outcome: 'held', until: held.until, fingerprint: held.fingerprint };
    requestLeases.set(key, { ...lease, fingerprint });
    return { outcome: 'acquired' };
  }

  async release(requestId: string, { owner }: Lease): Promise<void> {
    const { requestLeases } = this.#storage;
    const key = this.#key(requestId);
    if (requestLeases.get(key)?.owner === owner) requestLeases.delete(key);
  }

  #key(requestId: string): string {
    return outboxRecordKey(this.#endpoint, requestId).partition;
  }
}
