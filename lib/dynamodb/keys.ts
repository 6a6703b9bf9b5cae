import { createHash } from 'node:crypto';
import { configurationError } from '../kernel/errors/errors.ts';
import { describeValue } from '../kernel/errors/thrown.ts';
import { utf8Bytes } from './item-size.ts';

/** Which saga instance: `id` is its correlation value. */
export interface SagaIdentity {
  readonly name: string;
  readonly id: string;
}

/** Which outbox record: of which message at which endpoint. */
export interface RecordIdentity {
  readonly endpoint: string;
  readonly messageId: string;
}

/** Which contribution to a saga, of which message. */
export interface ContributionIdentity {
  readonly saga: SagaIdentity;
  /** Of the saga. One that is started anew under its id has another time, and none of its contributions. */
  readonly createdAt: Date;
  readonly key: string;
  /** Several may have the saga, and one event has the same id at each of them. */
  readonly endpoint: string;
  readonly messageId: string;
  /** From 0 to 99. */
  readonly ordinal: number;
}

/** Where something is that was not sent. */
export interface UnsentIdentity {
  /** The partition key of its item. */
  readonly partition: string;
  /** Of the entry in the item of a saga. @default - the item is a record */
  readonly entryKey?: string | undefined;
}

export interface ItemKey {
  readonly partition: string;
  readonly sort: string;
}

/** Longer values are replaced by their hash, so that every key stays within DynamoDB's 2,048 bytes. */
const MAX_VALUE_BYTES = 512;
const SEPARATOR = '#';

/** Of the items of sagas. */
export const SAGA_SORT_KEY = 'SAGA';
/** Of the outbox records that are items of their own. */
export const RECORD_SORT_KEY = 'RECORD';

export function sagaKey(saga: SagaIdentity): ItemKey {
  return { partition: `${sagaPartitionPrefix(saga.name)}${bounded(saga.id)}`, sort: SAGA_SORT_KEY };
}

/** What the sort keys of a saga's contributions under one key begin with, and no others. */
export function contributionSortPrefix(createdAt: Date, key: string): string {
  return `APPEND${SEPARATOR}${createdAt.toISOString()}${SEPARATOR}${key}${SEPARATOR}`;
}

/** A message that is handled again writes the same items again. */
export function contributionKey(contribution: ContributionIdentity): ItemKey {
  const { saga, createdAt, key, endpoint, messageId, ordinal } = contribution;
  const place = String(ordinal).padStart(2, '0');
  // A sort key takes 1,024 bytes, and either of them can have 512.
  const message = bounded(`${endpoint}${SEPARATOR}${bounded(messageId)}`);
  const sort = `${contributionSortPrefix(createdAt, key)}${message}${SEPARATOR}${place}`;
  return { partition: sagaKey(saga).partition, sort };
}

export function outboxRecordKey(endpoint: string, messageId: string): ItemKey {
  return { partition: outboxPartition(endpoint, messageId), sort: RECORD_SORT_KEY };
}

/** @param number counted from 1 */
export function outboxChunkKey(endpoint: string, messageId: string, number: number): ItemKey {
  return {
    partition: outboxPartition(endpoint, messageId),
    sort: `CHUNK#${String(number).padStart(4, '0')}`,
  };
}

/** Undefined when the key of the record, one of this endpoint, holds a hash of its message id. */
export function messageIdOfPartition(endpoint: string, partition: string): string | undefined {
  const value = partition.slice(outboxPartitionPrefix(endpoint).length);
  return isHashedValue(value) ? undefined : value;
}

/** What the partition keys of an endpoint's records begin with, and no others. */
export function outboxPartitionPrefix(endpoint: string): string {
  return `OUTBOX#${endpoint}#`;
}

/** What the partition keys of the outbox records of all endpoints begin with, and no others. */
export const ANY_OUTBOX_PARTITION_PREFIX = 'OUTBOX#';

/** Undefined for the key of anything but an outbox record. */
export function endpointOfOutboxPartition(partition: string): string | undefined {
  const [, endpoint] = /^OUTBOX#([^#]+)#/.exec(partition) ?? [];
  return endpoint;
}

/** The partition of the list of what an endpoint has not sent; also of the state of its watch. */
export function unsentPartition(endpoint: string): string {
  return `UNSENT#${endpoint}`;
}

/** In the list by the time at which it was stored, which sorts before it. What is listed again has the same key. */
export function unsentKey(endpoint: string, storedAt: Date, item: UnsentIdentity): ItemKey {
  const hash = createHash('sha256').update(JSON.stringify([item.partition, item.entryKey]));
  return {
    partition: unsentPartition(endpoint),
    sort: `${storedAt.toISOString()}${SEPARATOR}${hash.digest('hex')}`,
  };
}

/** Of the state of the watch: behind the list, whose sort keys begin with a digit. */
export function watchKey(endpoint: string): ItemKey {
  return { partition: unsentPartition(endpoint), sort: 'WATCHER' };
}

/** What the partition keys of a saga's instances begin with, and no others. */
export function sagaPartitionPrefix(name: string): string {
  return `SAGA#${name}#`;
}

/** Refuses a saga or endpoint name that could make two different keys read the same. */
export function assertKeyName(setting: string, name: unknown): asserts name is string {
  if (isKeyName(name)) return;
  const remedy = `Use a string of 1 to ${MAX_VALUE_BYTES} bytes without '${SEPARATOR}'`;
  throw configurationError(setting, `${describeValue(name)} cannot be part of a key`, remedy);
}

/** Whether it can be the name of a saga or an endpoint. */
export function isKeyName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name !== '' &&
    name.isWellFormed() &&
    !name.includes(SEPARATOR) &&
    utf8Bytes(name) <= MAX_VALUE_BYTES
  );
}

function outboxPartition(endpoint: string, messageId: string): string {
  return `${outboxPartitionPrefix(endpoint)}${bounded(messageId)}`;
}

/** A value that looks like a hash is hashed too: it could be that of a longer one. */
function bounded(value: string): string {
  const isKept = utf8Bytes(value) <= MAX_VALUE_BYTES && !isHashedValue(value);
  return isKept ? value : createHash('sha256').update(value).digest('hex');
}

/** Whether a part of a key is the hash of a value, which was too long or looked like one. */
export function isHashedValue(value: string): boolean {
  return /^[0-9a-f]{64}$/.test(value);
}
