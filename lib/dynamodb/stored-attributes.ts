import type { AttributeValue } from '@aws-sdk/client-dynamodb';

const names = [
  // Of sagas.
  'state',
  'stateVersion',
  'version',
  'commitId',
  'createdAt',
  'updatedAt',
  'timeouts',
  // Of sagas with an embedded outbox.
  'endpoint',
  'inbox',
  'pending',
  'overflowed',
  'changeover',
  // Of contributions to sagas.
  'value',
  // Of outbox records and their chunks.
  'dispatched',
  'operations',
  'encoding',
  'operationCount',
  'chunkCount',
  'storedAt',
  'hash',
  'dispatchedAt',
  'sent',
  'messageId',
  'response',
  // Of the list of what is not sent, and of how it is watched.
  'itemPartition',
  'entryKey',
  'watchedStream',
  'watchedMapping',
  'watchedAt',
  'scanDue',
  'scanReason',
  // Of both.
  'lease',
  'schemaVersion',
] as const;

export type StoredAttributes = Partial<Record<(typeof names)[number], AttributeValue>>;

/** A table whose key or time to live had one of these names would have it overwritten. */
export const storedAttributes: ReadonlySet<string> = new Set(names);
