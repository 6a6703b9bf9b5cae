import type { OutboxRecord } from '../../core/outbox/commit.ts';
import type { SentBitmap } from '../../core/outbox/sent-bitmap.ts';
import type { Lease } from '../../core/saga/lease.ts';
import type { CapacityMeter } from '../../core/storage/capacity-meter.ts';
import { outboxPartitionPrefix, outboxRecordKey } from '../../core/storage/keys.ts';
import type { ClaimOutcome, ClaimTerms, UndispatchedRecords } from '../../ports.ts';
import type { MemoryStorage } from './storage.ts';

export class MemoryUndispatchedRecords implements UndispatchedRecords {
  readonly #storage: MemoryStorage;
  readonly #endpoint: string;

  constructor(storage: MemoryStorage, endpoint: string) {
    this.#storage = storage;
    this.#endpoint = endpoint;
  }

  async *find(
    storedBefore: Date,
    _meter?: CapacityMeter,
    signal?: AbortSignal,
    onStoredAt?: (messageId: string, storedAt: Date) => void,
  ): AsyncGenerator<string> {
    const prefix = outboxPartitionPrefix(this.#endpoint);
    const { records } = this.#storage;
    for (const key of [...records.keys()]) {
      if (signal?.aborted) return;
      const record = key.startsWith(prefix) ? records.read(key) : undefined;
      if (!record || record.dispatched || record.storedAt >= storedBefore) continue;
      onStoredAt?.(record.messageId, record.storedAt);
      yield record.messageId;
    }
  }

  async claim(
    messageId: string,
    lease: Lease,
    now: Date,
    _meter?: CapacityMeter,
    { includePostponed = false }: ClaimTerms = {},
  ): Promise<ClaimOutcome> {
    const { records, leases } = this.#storage;
    const key = this.#key(messageId);
    if (records.latest(key)?.dispatched !== false) return 'settled';
    const held = leases.get(key);
    const isLeft = held?.postponed && includePostponed;
    if (held !== undefined && held.owner !== lease.owner && held.until >= now && !isLeft) {
      return held.postponed ? 'postponed' : 'held';
    }
    leases.set(key, lease);
    return 'claimed';
  }

  async postpone(
    { messageId }: Pick<OutboxRecord, 'messageId'>,
    lease: Lease,
    _meter?: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void> {
    const { leases } = this.#storage;
    const key = this.#key(messageId);
    if (sent) this.#storage.keepSent(key, sent);
    if (leases.get(key)?.owner === lease.owner) leases.set(key, lease);
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
