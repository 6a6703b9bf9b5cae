import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EMBEDDED_SCHEMA, FIRST_STATE_VERSION, type Item } from '../../dynamodb/item-attributes.ts';
import type { StoredAttributes } from '../../dynamodb/stored-attributes.ts';
import { epochSeconds } from '../../kernel/epoch-seconds.ts';
import { isUuid, uuidBytes, uuidOf } from '../../kernel/uuid-bytes.ts';
import { commitIdBytes } from '../../saga/item/commit-ids.ts';
import { recordsSchemaVersion, timeoutAttribute } from '../../saga/item/write-saga-item.ts';
import type { OutboxWrite } from '../record.ts';
import type { EmbeddedWrite } from './embedded-write.ts';
import type { Inbox } from './inbox.ts';
import { type PendingOperations, pendingBytes, readPending } from './pending-bytes.ts';

/**
 * What a write sets of the item of a saga, beside its state and what is pending. In an item of an embedded outbox
 * times are epoch seconds, and the commit id is binary: all of it is charged with each message. One of records stays
 * as those that write it without an inbox read it.
 *
 * @param commitId a UUID
 */
export function embeddedAttributes(write: EmbeddedWrite, commitId: string): StoredAttributes {
  const { version, at, createdAt, changeover, inbox, isOverflowed, schema, endpoint, read } = write;
  const time = schema === 'embedded' ? epochAttribute : isoAttribute;
  const schemaVersion = schemaVersionOf(write);
  return {
    version: { N: String(version) },
    commitId: schema === 'embedded' ? { B: commitIdBytes(commitId) } : { S: commitId },
    updatedAt: time(at),
    inbox: { B: inbox.bytes },
    ...(isOverflowed && { overflowed: { BOOL: true } }),
    ...(createdAt && { createdAt: time(createdAt) }),
    ...stateFacts(write),
    ...(read?.endpoint !== endpoint && { endpoint: { S: endpoint } }),
    ...(changeover && changeover !== read?.changeover && { changeover: epochAttribute(changeover) }),
    ...(schemaVersion && { schemaVersion: { N: String(schemaVersion) } }),
  };
}

function epochAttribute(date: Date): AttributeValue {
  return { N: String(epochSeconds(date)) };
}

function isoAttribute(date: Date): AttributeValue {
  return { S: date.toISOString() };
}

function stateFacts({ state }: EmbeddedWrite): StoredAttributes {
  if (typeof state === 'string') return {};
  const { stateVersion, timeouts } = state;
  return {
    ...(stateVersion !== undefined && { stateVersion: { N: String(stateVersion) } }),
    ...(timeouts.length > 0 && { timeouts: { L: timeouts.map(timeoutAttribute) } }),
  };
}

/** Undefined if it stays as it is. */
function schemaVersionOf({ schema, state, read }: EmbeddedWrite): number | undefined {
  if (schema === 'embedded') return read?.schema === schema ? undefined : EMBEDDED_SCHEMA;
  if (typeof state === 'object') return recordsSchemaVersion(state.stateVersion);
  return read ? undefined : recordsSchemaVersion(FIRST_STATE_VERSION);
}

/** What messages left to be sent, by their keys. */
export function pendingAttributes(inbox: Inbox, pending: readonly OutboxWrite[]): Item {
  return Object.fromEntries(pending.map((write) => [inbox.keyOf(write.messageId), pendingAttribute(write)]));
}

function pendingAttribute({ messageId, storedAt, packed, encoding }: OutboxWrite): AttributeValue {
  if (packed === undefined || encoding === undefined)
    throw new Error('What does not fit into an item has a record');
  return { M: { id: idAttribute(messageId), data: { B: pendingBytes({ storedAt, encoding, packed }) } } };
}

/** A UUID, as most ids are, in 16 bytes. */
function idAttribute(messageId: string): AttributeValue {
  return isUuid(messageId) ? { B: uuidBytes(messageId) } : { S: messageId };
}

/**
 * A key of what is pending, and what stands there.
 *
 * @throws Error for a damaged one
 */
export function readPendingAttribute({ M: entry = {} }: AttributeValue): PendingOperations & {
  readonly messageId: string;
} {
  const messageId = pendingMessageId({ M: entry });
  if (messageId === undefined || entry.data?.B === undefined) throw new Error('what is pending is damaged');
  return { messageId, ...readPending(entry.data.B) };
}

/** Of a message that has something pending; undefined in a damaged entry. */
export function pendingMessageId({ M: entry }: AttributeValue): string | undefined {
  return entry?.id?.S ?? (entry?.id?.B && uuidOf(entry.id.B));
}
