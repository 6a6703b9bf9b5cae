import { sagaKey } from '../../dynamodb/keys.ts';
import type { PendingEntry } from '../../outbox/embedded/embedded-item.ts';
import type { EmbeddedSagas } from '../../outbox/embedded/embedded-sagas.ts';
import type { EmbeddedWrite } from '../../outbox/embedded/embedded-write.ts';
import { pendingRecord } from '../../outbox/embedded/find-in-item.ts';
import type { Inbox } from '../../outbox/embedded/inbox.ts';
import type { OutboxRecord, OutboxWrite, RecordReference } from '../../outbox/record.ts';
import { type SentBitmap, unitedBitmap } from '../../outbox/sent-bitmap.ts';
import type { MemorySaga, MemorySagaItem, MemoryStorage } from './storage.ts';

export interface MemoryEmbeddedSagasOptions {
  storage: MemoryStorage;
  deduplicationPeriodSeconds: number;
}

export class MemoryEmbeddedSagas implements EmbeddedSagas {
  readonly #options: MemoryEmbeddedSagasOptions;

  constructor(options: MemoryEmbeddedSagasOptions) {
    this.#options = options;
  }

  newSalt(): Uint8Array {
    return this.#options.storage.newSalt();
  }

  async find({ sagaItem }: RecordReference): Promise<OutboxRecord | undefined> {
    if (sagaItem === undefined) return undefined;
    const { partition, key } = sagaItem;
    const item = this.#options.storage.embedded.read(partition);
    const entry = item?.pending.get(key);
    if (!item || !entry) return undefined;
    const { endpoint = '', isTombstone, pending } = item;
    return pendingRecord(endpoint, entry, {
      partition,
      key,
      isTombstone,
      pendingCount: pending.size,
    });
  }

  /** A mark that removes the last entry of a tombstone sets when it expires. */
  async markDispatched(record: OutboxRecord): Promise<void> {
    updateItem(this.#options.storage, record, ({ pending, isTombstone, updatedAt, ...item }, key) => {
      const left = new Map([...pending].filter(([each]) => each !== key));
      const expiresAt = new Date(updatedAt.getTime() + this.#options.deduplicationPeriodSeconds * 1000);
      const expires = isTombstone && left.size === 0 && { expiresAt };
      return { ...item, pending: left, isTombstone, updatedAt, ...expires };
    });
  }

  async saveProgress(record: OutboxRecord, sent: SentBitmap): Promise<SentBitmap> {
    return saveProgressOfEntry(this.#options.storage, record, sent);
  }
}

/** @returns the bitmap that the entry then holds; the given one, once the record is marked */
export function saveProgressOfEntry(
  storage: MemoryStorage,
  record: RecordReference,
  sent: SentBitmap,
): SentBitmap {
  let kept = sent;
  changeEntry(storage, record, (entry) => {
    kept = unitedBitmap(sent, entry.sent);
    return { ...entry, sent: kept };
  });
  return kept;
}

/** Does nothing once the record is marked. */
export function changeEntry(
  storage: MemoryStorage,
  record: RecordReference,
  change: (entry: PendingEntry) => PendingEntry,
): void {
  updateItem(storage, record, ({ pending, ...item }, key) => {
    const entry = pending.get(key) as PendingEntry;
    return { ...item, pending: new Map(pending).set(key, change(entry)) };
  });
}

/** Does nothing once the record is marked. */
function updateItem(
  { embedded }: MemoryStorage,
  { sagaItem }: RecordReference,
  change: (item: MemorySagaItem, key: string) => MemorySagaItem,
): void {
  if (sagaItem === undefined) return;
  const { partition, key } = sagaItem;
  const item = embedded.latest(partition);
  if (item?.pending.has(key)) embedded.set(partition, change(item, key));
}

/** Whether the stored item is as the write needs it. */
export function isAsRead(storage: MemoryStorage, { saga, read, leaseOwner, mustBePending }: EmbeddedWrite) {
  const { partition } = sagaKey(saga);
  const latest = storage.sagaItem(partition, 'latest');
  const { revision } = latest ?? {};
  const isSame =
    revision?.version === read?.revision.version && revision?.commitId === read?.revision.commitId;
  const isOurs = leaseOwner === undefined || storage.leases.get(partition)?.owner === leaseOwner;
  const isPending = mustBePending === undefined || mustBePending.some((key) => latest?.pending.has(key));
  return isSame && isOurs && isPending;
}

/** @param kept undefined for a tombstone, and for a state that stays as it is */
export function writeItem(storage: MemoryStorage, write: EmbeddedWrite, kept: MemorySaga | undefined): void {
  const { saga, endpoint, schema, state, version, at, changeover, inbox, isOverflowed, expiresAt } = write;
  const { partition } = sagaKey(saga);
  const before = storage.sagaItem(partition, 'latest');
  const revision = { version, commitId: kept?.revision.commitId ?? storage.newCommitId() };
  const left = state === 'kept' ? before?.saga : kept;
  storage.sagas.delete(partition);
  storage.embedded.set(partition, {
    schema,
    endpoint,
    revision,
    isTombstone: state === 'none',
    inbox,
    pending: new Map([...(before?.pending ?? []), ...write.pending.map((each) => entryOf(inbox, each))]),
    hasTimeouts: left !== undefined && left.timeouts.length > 0,
    updatedAt: at,
    ...(changeover && { changeover }),
    ...(expiresAt && { expiresAt }),
    isOverflowed,
    bytes: 0,
    saga: left && { ...left, revision, updatedAt: at },
  });
  if (write.leaseOwner !== undefined) storage.leases.delete(partition);
}

function entryOf(
  inbox: Inbox,
  { messageId, storedAt, packed, encoding }: OutboxWrite,
): [string, PendingEntry] {
  if (packed === undefined || encoding === undefined)
    throw new Error('What does not fit into an item has a record');
  return [inbox.keyOf(messageId), { messageId, storedAt, packed, encoding }];
}
