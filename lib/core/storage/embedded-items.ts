import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { EmbeddedWrite } from '../embedded/embedded-write.ts';
import { pendingKey } from '../embedded/message-hash.ts';
import { type PendingOperations, pendingBytes, readPending } from '../embedded/pending-bytes.ts';
import type { OutboxWrite } from '../outbox/record.ts';
import { epochSeconds } from './epoch-seconds.ts';
import { EMBEDDED_SCHEMA, type Item } from './item-attributes.ts';
import { timeoutAttribute } from './saga-items.ts';
import type { StoredAttributes } from './stored-attributes.ts';
import { isUuid, uuidBytes, uuidOf } from './uuid-bytes.ts';

/**
 * What a write sets of the item of a saga, beside its state and what is pending. Times are epoch seconds, and the
 * commit id is binary: all of it is charged with each message.
 *
 * @param commitId a UUID
 */
export function embeddedAttributes(write: EmbeddedWrite, commitId: string): StoredAttributes {
  const { version, at, inbox, isOverflowed, state, endpoint, read } = write;
  const isNew = read === undefined;
  const begins = typeof state === 'object' && state.kind === 'create';
  return {
    version: { N: String(version) },
    commitId: { B: uuidBytes(commitId) },
    updatedAt: { N: String(epochSeconds(at)) },
    inbox: { B: inbox.bytes },
    ...(isOverflowed && { overflowed: { BOOL: true } }),
    ...(begins && { createdAt: { N: String(epochSeconds(at)) } }),
    ...(typeof state === 'object' && stateFacts(state)),
    ...(isNew && { endpoint: { S: endpoint }, schemaVersion: { N: String(EMBEDDED_SCHEMA) } }),
  };
}

function stateFacts({ stateVersion, timeouts }: Exclude<EmbeddedWrite['state'], string>): StoredAttributes {
  return {
    ...(stateVersion !== undefined && { stateVersion: { N: String(stateVersion) } }),
    ...(timeouts.length > 0 && { timeouts: { L: timeouts.map(timeoutAttribute) } }),
  };
}

/** What messages left to be sent, by their keys. */
export function pendingAttributes(pending: readonly OutboxWrite[]): Item {
  return Object.fromEntries(pending.map((write) => [pendingKey(write.messageId), pendingAttribute(write)]));
}

function pendingAttribute({ messageId, storedAt, packed, encoding }: OutboxWrite): AttributeValue {
  if (packed === undefined) throw new Error('What does not fit into an item has a record');
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
