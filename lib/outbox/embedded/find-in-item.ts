import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { leaseWithoutOwner } from '../../kernel/lease.ts';
import type { IncomingMessage, OutgoingOperation } from '../../messages/message.ts';
import type { SagaOutboxForm } from '../../saga/definition/outbox-form.ts';
import { isExpired } from '../../saga/item/saga-item.ts';
import { unpack } from '../packing.ts';
import type { OutboxRecord } from '../record.ts';
import type { EmbeddedItem, PendingEntry } from './embedded-item.ts';
import type { InboxEntry } from './inbox.ts';
import type { RecordSagaItem } from './record-saga-item.ts';

/** The result of the dedup check of a message by the item of its saga. */
export type FoundInItem =
  | { readonly record: OutboxRecord; readonly isOfOtherType: boolean }
  | {
      /** The message's outbox record tells whether the message was handled, and all is sent. */
      readonly record: 'its own';
      /** The meaning of a missing record. */
      readonly withoutRecord: 'not handled' | 'expired' | 'not visible yet';
      readonly isOfOtherType: boolean;
    };

/** An entry of an inbox expires at a full hour, and the record of its message up to an hour before. */
const EXPIRY_PRECISION_MS = 3_600_000;

/**
 * The shortest deduplication period: within a shorter one, a record that is not visible yet could not be told
 * from one that is gone.
 */
export const MIN_INBOX_PERIOD_SECONDS = EXPIRY_PRECISION_MS / 1000;

/**
 * @param item undefined if there is none
 * @returns undefined for a message that was not handled, as far as the item tells
 * @throws SagaboxError `UnreadableItem` for operations that are damaged
 */
export function findInItem(
  saga: SagaIdentity,
  item: EmbeddedItem | undefined,
  { id, type }: Pick<IncomingMessage, 'id' | 'type'>,
  now: Date,
  form: SagaOutboxForm = 'embedded',
): FoundInItem | undefined {
  // A message that was handled with records alone is in no item.
  const mayHaveRecord = form === 'both';
  if (item === undefined || isExpired(item, now))
    return mayHaveRecord
      ? { record: 'its own', withoutRecord: 'not handled', isOfOtherType: false }
      : undefined;
  const { inbox } = item;
  const key = inbox?.keyOf(id) ?? '';
  const pending = item.pending.get(key);
  const entry = inbox?.find(id);
  // Two ids may share a hash by chance: the entry of the other message stays.
  const isOther =
    (pending && pending.messageId !== id) ||
    (inbox !== undefined && entry !== undefined && inbox.isOfOtherType(entry, type));
  if (pending) {
    const { endpoint = '', isTombstone } = item;
    const { partition } = sagaKey(saga);
    const sagaItem = { partition, key, isTombstone, pendingCount: item.pending.size };
    return { record: pendingRecord(endpoint, pending, sagaItem), isOfOtherType: isOther };
  }
  const isKnown = entry !== undefined && entry.expiresAt > now;
  if (entry?.hasRecord || ((item.isOverflowed || mayHaveRecord) && !isKnown)) {
    return {
      record: 'its own',
      withoutRecord: withoutRecord(isKnown ? entry : undefined, now),
      isOfOtherType: isOther,
    };
  }
  return isKnown ? { record: handledRecord(id, now), isOfOtherType: isOther } : undefined;
}

function withoutRecord(entry: InboxEntry | undefined, now: Date) {
  if (entry === undefined) return 'not handled';
  const leftMs = entry.expiresAt.getTime() - now.getTime();
  return leftMs <= EXPIRY_PRECISION_MS ? 'expired' : 'not visible yet';
}

/** Returns the record of a message whose operations are all sent. */
export function handledRecord(messageId: string, storedAt: Date): OutboxRecord {
  return { messageId, dispatched: true, storedAt, operations: [], chunkCount: 0 };
}

/**
 * Returns the record that an entry stands for.
 *
 * @throws SagaboxError `UnreadableItem`
 */
export function pendingRecord(endpoint: string, entry: PendingEntry, sagaItem: RecordSagaItem): OutboxRecord {
  const { messageId, storedAt, sent, lease } = entry;
  return {
    messageId,
    dispatched: false,
    storedAt,
    operations: operationsOf(endpoint, entry, sagaItem),
    chunkCount: 0,
    ...(sent && { sent }),
    ...(lease && { lease: leaseWithoutOwner(lease) }),
    sagaItem,
  };
}

function operationsOf(
  endpoint: string,
  { messageId, packed, encoding }: PendingEntry,
  { partition }: RecordSagaItem,
): OutgoingOperation[] {
  const item = `The item '${partition}'`;
  try {
    return unpack(packed, encoding, { endpoint, messageId });
  } catch (error) {
    const detail = `the operations of message '${messageId}' are damaged: ${thrownMessage(error)}`;
    throw new SagaboxError('UnreadableItem', { item, detail }, { cause: error });
  }
}
