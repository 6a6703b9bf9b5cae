import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { outboxRecordKey } from '../../dynamodb/keys.ts';
import { leaseWithoutOwner } from '../../kernel/lease.ts';
import type { OutboxStore } from '../../outbox/outbox-store.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import type { SentBitmap } from '../../outbox/sent-bitmap.ts';
import type { MemoryStorage } from './storage.ts';

export class MemoryOutboxStore implements OutboxStore {
  readonly #storage: MemoryStorage;
  readonly #endpoint: string;

  constructor(storage: MemoryStorage, endpoint: string) {
    this.#storage = storage;
    this.#endpoint = endpoint;
  }

  async find(messageId: string, _meter?: CapacityMeter): Promise<OutboxRecord | undefined> {
    const { records, leases } = this.#storage;
    const key = this.#key(messageId);
    const record = records.read(key);
    const lease = leases.get(key);
    return (
      record && {
        chunkCount: 0,
        ...structuredClone(record),
        ...(lease && { lease: leaseWithoutOwner(lease) }),
      }
    );
  }

  async markDispatched(record: OutboxRecord): Promise<void> {
    const key = this.#key(record.messageId);
    const { messageId, storedAt, fingerprint, response } = record;
    this.#storage.records.set(key, {
      messageId,
      dispatched: true,
      storedAt,
      fingerprint,
      operations: [],
      ...(response && { response }),
    });
    this.#storage.leases.delete(key);
  }

  async saveProgress(
    { messageId }: OutboxRecord,
    sent: SentBitmap,
    _meter?: CapacityMeter,
  ): Promise<SentBitmap> {
    return this.#storage.saveProgress(this.#key(messageId), sent);
  }

  #key(messageId: string): string {
    return outboxRecordKey(this.#endpoint, messageId).partition;
  }
}
