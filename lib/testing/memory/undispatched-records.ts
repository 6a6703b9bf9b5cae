import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { outboxPartitionPrefix, outboxRecordKey } from '../../dynamodb/keys.ts';
import type { Lease } from '../../kernel/lease.ts';
import type { OutboxRecord, RecordReference } from '../../outbox/record.ts';
import type { SentBitmap } from '../../outbox/sent-bitmap.ts';
import type {
  ClaimOutcome,
  ClaimTerms,
  FoundRecord,
  UndispatchedRecords,
} from '../../relay/undispatched-records.ts';
import { changeEntry, saveProgressOfEntry } from './embedded-sagas.ts';
import type { MemoryStorage } from './storage.ts';

/** Finds and leases undispatched records in memory, also those in items of sagas. */
export class MemoryUndispatchedRecords implements UndispatchedRecords {
  readonly #storage: MemoryStorage;
  readonly #endpoint: string;

  constructor(storage: MemoryStorage, endpoint: string) {
    this.#storage = storage;
    this.#endpoint = endpoint;
  }

  async *find(storedBefore: Date, _meter?: CapacityMeter, signal?: AbortSignal): AsyncGenerator<FoundRecord> {
    const prefix = outboxPartitionPrefix(this.#endpoint);
    const { records, embedded } = this.#storage;
    for (const key of [...records.keys()]) {
      if (signal?.aborted) return;
      const record = key.startsWith(prefix) ? records.read(key) : undefined;
      if (!record || record.dispatched || record.storedAt >= storedBefore) continue;
      yield { messageId: record.messageId, storedAt: record.storedAt };
    }
    for (const partition of [...embedded.keys()]) {
      const item = embedded.read(partition);
      if (item?.endpoint !== this.#endpoint) continue;
      for (const [key, { messageId, storedAt }] of item.pending) {
        if (signal?.aborted) return;
        if (storedAt < storedBefore) yield { messageId, storedAt, sagaItem: { partition, key } };
      }
    }
  }

  async claim(
    record: RecordReference,
    lease: Lease,
    now: Date,
    _meter?: CapacityMeter,
    { includePostponed = false }: ClaimTerms = {},
  ): Promise<ClaimOutcome> {
    if (!this.#isUndispatched(record)) return 'settled';
    const held = this.#leaseOn(record);
    const isLeft = held?.postponed && includePostponed;
    if (held !== undefined && held.owner !== lease.owner && held.until >= now && !isLeft) {
      return held.postponed ? 'postponed' : 'held';
    }
    this.#putLease(record, lease);
    return 'claimed';
  }

  async postpone(
    record: RecordReference & Pick<OutboxRecord, 'sent'>,
    lease: Lease,
    _meter?: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void> {
    if (sent && record.sagaItem) saveProgressOfEntry(this.#storage, record, sent);
    else if (sent) this.#storage.saveProgress(this.#key(record), sent);
    if (this.#leaseOn(record)?.owner === lease.owner) this.#putLease(record, lease);
  }

  async release(record: RecordReference, lease: Lease): Promise<void> {
    if (this.#leaseOn(record)?.owner === lease.owner) this.#putLease(record, undefined);
  }

  /** Does nothing: there is no list, as `find` looks at all records. */
  async unlist(): Promise<void> {}

  #isUndispatched(record: RecordReference): boolean {
    if (record.sagaItem) return this.#entryOf(record) !== undefined;
    return this.#storage.records.latest(this.#key(record))?.dispatched === false;
  }

  #leaseOn(record: RecordReference): Lease | undefined {
    return record.sagaItem ? this.#entryOf(record)?.lease : this.#storage.leases.get(this.#key(record));
  }

  #putLease(record: RecordReference, lease: Lease | undefined): void {
    const { leases } = this.#storage;
    if (record.sagaItem) changeEntry(this.#storage, record, (entry) => ({ ...entry, lease }));
    else if (lease) leases.set(this.#key(record), lease);
    else leases.delete(this.#key(record));
  }

  #entryOf({ sagaItem }: RecordReference) {
    const item = sagaItem && this.#storage.embedded.latest(sagaItem.partition);
    return sagaItem && item?.pending.get(sagaItem.key);
  }

  #key({ messageId }: RecordReference): string {
    return outboxRecordKey(this.#endpoint, messageId).partition;
  }
}
