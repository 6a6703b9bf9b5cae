import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { PendingTimeout } from '../saga/pending-timeouts.ts';
import { type Item, keyAttributes, SCHEMA_VERSION, type TableAttributes } from './item-attributes.ts';
import { type SagaIdentity, sagaKey } from './keys.ts';
import type { StoredAttributes } from './stored-attributes.ts';

/** What the item of a saga holds, besides the lease of whoever has it locked. */
export interface SagaFields {
  readonly saga: SagaIdentity;
  /** The attributes of its state. */
  readonly state: Item;
  readonly version: number;
  readonly commitId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly timeouts: readonly PendingTimeout[];
}

export function sagaItem(table: TableAttributes, fields: SagaFields): Item {
  const { saga, state, version, commitId, createdAt, updatedAt, timeouts } = fields;
  const attributes: StoredAttributes = {
    state: { M: state },
    version: { N: String(version) },
    commitId: { S: commitId },
    createdAt: { S: createdAt.toISOString() },
    updatedAt: { S: updatedAt.toISOString() },
    ...(timeouts.length > 0 && { timeouts: { L: timeouts.map(timeoutAttribute) } }),
    schemaVersion: { N: String(SCHEMA_VERSION) },
  };
  return { ...attributes, ...keyAttributes(table, sagaKey(saga)) };
}

function timeoutAttribute({ id, type, scheduled }: PendingTimeout): AttributeValue {
  return { M: { id: { S: id }, type: { S: type }, scheduled: { BOOL: scheduled } } };
}
