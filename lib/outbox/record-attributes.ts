import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  type Item,
  keyAttributes,
  SCHEMA_VERSION,
  type TableAttributes,
} from '../dynamodb/item-attributes.ts';
import { messageIdOfPartition, outboxChunkKey, outboxRecordKey } from '../dynamodb/keys.ts';
import type { StoredAttributes } from '../dynamodb/stored-attributes.ts';
import type { Fingerprint } from '../messages/fingerprint.ts';
import type { StoredResponse } from './stored-response.ts';

export interface RecordFields {
  readonly endpoint: string;
  readonly messageId: string;
  readonly storedAt: Date;
  readonly operationCount: number;
  readonly fingerprint?: Fingerprint | undefined;
  readonly response?: StoredResponse | undefined;
}

/** The operations of a record that is to be dispatched: packed in its item, or in chunks. */
export interface UndispatchedFields extends RecordFields {
  readonly chunkCount: number;
  readonly packed?: Uint8Array | undefined;
  readonly encoding?: string | undefined;
}

export function undispatchedItem(table: TableAttributes, fields: UndispatchedFields): Item {
  const { endpoint, messageId, chunkCount, packed, encoding } = fields;
  const { partition } = outboxRecordKey(endpoint, messageId);
  const isToldByKey = messageIdOfPartition(endpoint, partition) !== undefined;
  const attributes = commonAttributes(fields, false, chunkCount);
  if (packed) attributes.operations = { B: packed };
  if (encoding) attributes.encoding = { S: encoding };
  if (!isToldByKey) attributes.messageId = { S: messageId };
  return withKey(table, fields, attributes);
}

/**
 * A record whose messages are sent, or that has none: all that deduplication needs.
 *
 * @param expiresAt epoch seconds
 */
export function dispatchedItem(
  table: TableAttributes,
  fields: RecordFields,
  dispatchedAt: Date,
  expiresAt: number,
): Item {
  // The chunks are deleted by then.
  const attributes = commonAttributes(fields, true, 0);
  attributes.dispatchedAt = { S: dispatchedAt.toISOString() };
  const item: Item = { ...attributes, [table.timeToLiveAttributeName]: { N: String(expiresAt) } };
  return withKey(table, fields, item);
}

/** @param number counted from 1 */
export function chunkItem(
  table: TableAttributes,
  { endpoint, messageId }: Pick<RecordFields, 'endpoint' | 'messageId'>,
  number: number,
  chunk: Uint8Array,
): Item {
  const attributes: StoredAttributes = {
    operations: { B: chunk },
    schemaVersion: { N: String(SCHEMA_VERSION) },
  };
  return { ...attributes, ...keyAttributes(table, outboxChunkKey(endpoint, messageId, number)) };
}

function commonAttributes(
  { operationCount, storedAt, fingerprint, response }: RecordFields,
  dispatched: boolean,
  chunkCount: number,
): StoredAttributes {
  const attributes: StoredAttributes = {
    dispatched: { BOOL: dispatched },
    operationCount: { N: String(operationCount) },
    chunkCount: { N: String(chunkCount) },
    storedAt: { S: storedAt.toISOString() },
    schemaVersion: { N: String(SCHEMA_VERSION) },
  };
  if (fingerprint) attributes.hash = { B: fingerprint };
  if (response) attributes.response = responseAttribute(response);
  return attributes;
}

function responseAttribute(response: StoredResponse): AttributeValue {
  if ('json' in response) return { S: response.json };
  return 'compressed' in response
    ? { B: response.compressed }
    : { M: { claimCheck: { S: response.claimCheck } } };
}

/** Undefined for what `responseAttribute` does not make. */
export function storedResponseOf({ S, B, M }: AttributeValue): StoredResponse | undefined {
  if (S !== undefined) return { json: S };
  if (B !== undefined) return { compressed: B };
  const claimCheck = M?.claimCheck?.S;
  return claimCheck === undefined ? undefined : { claimCheck };
}

/** Adds the key last, so that nothing that is stored replaces a key of a table with names of its own. */
function withKey(
  table: TableAttributes,
  { endpoint, messageId }: RecordFields,
  attributes: StoredAttributes,
): Item {
  return Object.assign(attributes, keyAttributes(table, outboxRecordKey(endpoint, messageId)));
}
