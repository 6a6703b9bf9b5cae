import type { CapacityMeter } from '../core/capacity-meter.ts';
import { outboxPartitionPrefix, outboxRecordKey } from '../core/keys.ts';
import type { Lease } from '../core/lease.ts';
import type { UndispatchedRecords } from '../ports.ts';
import type { MemoryStorage } from './storage.ts';

export class MemoryUndispatchedRecords implements UndispatchedRecords {
  readonly #storage: MemoryStorage;
  readonly #endpoint: string;

  constructor(storage: MemoryStorage, endpoint: string) {
    this.#storage = storage;
    this.#endpoint = endpoint;
  }

  async *find(storedBefore: Date, _meter?: CapacityMeter, signal?: AbortSignal): AsyncGenerator<string> {
    const prefix = outboxPartitionPrefix(this.#endpoint);
    for (const [key, record] of [...this.#storage.records]) {
      if (signal?.aborted) return;
      const isOurs = key.startsWith(prefix);
      if (isOurs && !record.dispatched && record.storedAt < storedBefore) yield record.messageId;
    }
  }

  async claim(messageId: string, lease: Lease, now: Date): Promise<'claimed' | 'held' | 'settled'> {
    const { records, leases } = this.#storage;
    const key = this.#key(messageId);
    if (records.get(key)?.dispatched !== false) return 'settled';
    const held = leases.get(key);
    if (held !== undefined && held.owner !== lease.owner && held.until >= now) return 'held';
    leases.set(key, lease);
    return 'claimed';
  }

  async release(messageId: string, lease: Lease): Promise<void> {
    const { leases } = this.#storage;
    const key = this.#key(messageId);
    if (leases.get(key)?.owner === lease.owner) leases.delete(key);
  }

  #key(messageId: string): string {
    return outboxRecordKey(this.#endpoint, messageId).partition;
  }
}
