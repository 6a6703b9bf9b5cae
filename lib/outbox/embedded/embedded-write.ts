import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import { limits } from '../../kernel/limits.ts';
import type { SagaOutboxForm } from '../../saga/definition/outbox-form.ts';
import { isExpired, type SagaSchema } from '../../saga/item/saga-item.ts';
import type { OpenedSaga, SagaCheck, SagaStateWrite, SagaWrite } from '../../saga/saga-state.ts';
import { MAX_PACKED_ITEM_BYTES } from '../packing.ts';
import { type OutboxWrite, outboxWrite, type RecordContent } from '../record.ts';
import { changeoverLeft, schemaLeft } from './changeover.ts';
import { type EmbeddedItem, embeddedItem } from './embedded-item.ts';
import { INBOX_ENTRY_BYTES, Inbox } from './inbox.ts';
import type { RecordSagaItem } from './record-saga-item.ts';

/** The limits of an item, beyond which messages have outbox records. */
export interface EmbeddedLimits {
  readonly inboxMessages: number;
  /** The bytes of the item, with the packed operations of one more message. */
  readonly bytes: number;
}

/** The default limits: every write of an item is charged with all of its inbox. */
export const embeddedLimits: EmbeddedLimits = { inboxMessages: 256, bytes: MAX_PACKED_ITEM_BYTES };

/**
 * The most bytes of an item that gets a state. Leases, progress, and the ids of messages that leave the state
 * as it is have to fit in beside the state, or pending entries could not be relayed.
 */
const MAX_BYTES_WITH_STATE = limits.itemBytes - 8 * 1024;

/** Returns the most bytes of an item after a write. */
export function maxItemBytes(writesState: boolean): number {
  return writesState ? MAX_BYTES_WITH_STATE : limits.itemBytes;
}

/** Whether packed operations have room in an item, beside its other bytes. */
export function haveRoom(
  packedBytes: number,
  besidesBytes: number,
  { bytes }: EmbeddedLimits = embeddedLimits,
): boolean {
  return besidesBytes + packedBytes <= bytes;
}

/** A message of a saga with an embedded outbox, and the content of its record. */
export interface EmbeddedMessage {
  readonly type: string;
  readonly content: RecordContent;
}

/** The write that messages make of the item of their saga: its state, its inbox, and its pending entries. */
export interface EmbeddedWrite {
  readonly saga: SagaIdentity;
  readonly endpoint: string;
  readonly schema: SagaSchema;
  /** The item that was read, and must still be there; `undefined` if there was none. */
  readonly read: EmbeddedItem | undefined;
  /** The owner of the lease, which the write gives back. */
  readonly leaseOwner?: string | undefined;
  /** The new state of the saga. `kept`: it stays as it is. `none`: the item is a tombstone. */
  readonly state: SagaStateWrite | 'kept' | 'none';
  readonly version: number;
  readonly at: Date;
  /** The creation time to write; `undefined` if none is written. */
  readonly createdAt: Date | undefined;
  /** @see SagaItem */
  readonly changeover: Date | undefined;
  readonly inbox: Inbox;
  /** The records of messages that send others, except for outbox records. */
  readonly pending: readonly OutboxWrite[];
  readonly isOverflowed: boolean;
  /** The expiry of a tombstone without pending entries. */
  readonly expiresAt: Date | undefined;
  /**
   * The keys of entries that were pending, of which one must still be: its mark then sets the expiry of the
   * tombstone. `undefined` if none has to be.
   */
  readonly mustBePending: readonly string[] | undefined;
}

export interface EmbeddedContent {
  readonly endpoint: string;
  /** @default 'embedded' */
  readonly form?: Exclude<SagaOutboxForm, 'records'> | undefined;
  readonly openedSaga: OpenedSaga;
  /** The write of the state; `undefined` if the state stays as it is. */
  readonly saga: SagaWrite | SagaCheck | undefined;
  readonly messages: readonly EmbeddedMessage[];
  readonly at: Date;
  readonly deduplicationPeriodSeconds: number;
  /** @see EmbeddedSagas.newSalt of the ports */
  readonly newSalt: () => Uint8Array;
  /** @default embeddedLimits */
  readonly limits?: EmbeddedLimits | undefined;
}

/** Whether the messages of a saga have outbox records from now on, as its inbox is full, or was once. */
function usesRecords(read: EmbeddedItem | undefined, at: Date, { inboxMessages }: EmbeddedLimits): boolean {
  if (read === undefined || isExpired(read, at)) return false;
  return read.isOverflowed || (liveInbox(read, at)?.size ?? 0) >= inboxMessages;
}

export interface EmbeddedCommit {
  readonly embedded: EmbeddedWrite;
  /** The records of all messages: one without a saga item is an outbox record, written with the item. */
  readonly outboxes: readonly OutboxWrite[];
}

/** Returns the one write of a saga's item that all messages of a commit share. */
export function embeddedCommit(content: EmbeddedContent): EmbeddedCommit {
  const { endpoint, form = 'embedded', openedSaga, saga, messages, at, deduplicationPeriodSeconds } = content;
  const { identity, lease } = openedSaga;
  const read = embeddedItem(openedSaga.item);
  const expiresAt = new Date(at.getTime() + deduplicationPeriodSeconds * 1000);
  const isOverflowed = usesRecords(read, at, content.limits ?? embeddedLimits);
  // The salt stays for as long as the inbox or an entry needs it, through the end of the saga too.
  const live = liveInbox(read, at) ?? new Inbox(content.newSalt());
  const state = stateOf(read, saga);
  const isTombstone = state === 'none';
  const hasRecords = isOverflowed || form === 'both';
  const outboxes = outboxesOf(content, read, live, hasRecords, { isTombstone });
  const handled = messages.map(({ type, content: { messageId: id } }, index) => {
    return { id, type, hasRecord: outboxes[index]?.sagaItem === undefined };
  });
  const pending = outboxes.filter(({ dispatched, sagaItem }) => sagaItem && !dispatched);
  const isSent = pending.length === 0;
  const readPending = [...(read?.pending.keys() ?? [])];
  const schema = schemaLeft(form, read);
  const embedded: EmbeddedWrite = {
    saga: identity,
    endpoint,
    schema,
    read,
    leaseOwner: lease?.owner,
    state,
    version: (read?.revision.version ?? 0) + messages.length,
    at,
    createdAt: createdAtOf(content, state, schema),
    changeover: changeoverLeft(form, read),
    inbox: isOverflowed ? live : live.with(handled, expiresAt),
    pending,
    isOverflowed,
    expiresAt: isTombstone && isSent && readPending.length === 0 ? expiresAt : undefined,
    mustBePending: isTombstone && isSent && readPending.length > 0 ? readPending : undefined,
  };
  return { embedded, outboxes };
}

/** Returns the records of messages: one that does not fit into the item is an outbox record. */
function outboxesOf(
  { openedSaga: { identity: saga }, messages, limits = embeddedLimits }: EmbeddedContent,
  read: EmbeddedItem | undefined,
  inbox: Inbox,
  hasRecords: boolean,
  left: Pick<RecordSagaItem, 'isTombstone'>,
): readonly OutboxWrite[] {
  if (hasRecords) return messages.map(({ content }) => outboxWrite(content));
  const sending = messages.filter(({ content }) => content.operations.length > 0).length;
  const { partition } = sagaKey(saga);
  const ofAll = { partition, ...left, pendingCount: (read?.pending.size ?? 0) + sending };
  let besidesBytes = (read?.bytes ?? 0) + messages.length * INBOX_ENTRY_BYTES;
  return messages.map(({ content }) => {
    const sagaItem = { ...ofAll, key: inbox.keyOf(content.messageId) };
    const held = outboxWrite({ ...content, sagaItem });
    const bytes = held.packed?.byteLength ?? 0;
    if (held.chunkCount > 0 || !haveRoom(bytes, besidesBytes, limits)) return outboxWrite(content);
    besidesBytes += bytes;
    return held;
  });
}

/** Returns the inbox without its expired entries; `undefined` if there is none. */
function liveInbox(read: EmbeddedItem | undefined, at: Date): Inbox | undefined {
  if (read === undefined || isExpired(read, at)) return undefined;
  return read.inbox?.live(at, (key) => read.pending.has(key));
}

function stateOf(
  read: EmbeddedItem | undefined,
  saga: SagaWrite | SagaCheck | undefined,
): EmbeddedWrite['state'] {
  if (saga?.kind === 'create' || saga?.kind === 'update') return saga;
  const ends = saga?.kind === 'complete';
  return ends || read === undefined || read.isTombstone ? 'none' : 'kept';
}

/** Returns the creation time if it has to be written: each schema has a form of its own for it. */
function createdAtOf(
  { openedSaga: { stored, item: read }, at }: EmbeddedContent,
  state: EmbeddedWrite['state'],
  schema: SagaSchema,
): Date | undefined {
  if (state === 'none') return undefined;
  if (stored === undefined) return at;
  return read?.schema === schema ? undefined : stored.createdAt;
}
