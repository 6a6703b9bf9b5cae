import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { writeUnits } from '../../dynamodb/capacity-units.ts';
import { cheaperForm, type Encoding } from '../../dynamodb/compression.ts';
import {
  FIRST_STATE_VERSION,
  type Item,
  keyAttributes,
  leaseAttribute,
  SCHEMA_VERSION,
  type TableAttributes,
  VERSIONED_STATE_SCHEMA,
} from '../../dynamodb/item-attributes.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import type { StoredAttributes } from '../../dynamodb/stored-attributes.ts';
import type { PendingTimeout } from '../../sending/pending-timeouts.ts';
import { compressState } from './compressed-state.ts';

/** What the item of a saga holds, besides the lease of whoever has it locked. */
export interface SagaFields {
  readonly saga: SagaIdentity;
  /** The attributes of its state. */
  readonly state: Item;
  /** Of its form. @default 1 */
  readonly stateVersion?: number | undefined;
  readonly version: number;
  readonly commitId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly timeouts: readonly PendingTimeout[];
}

export function sagaItem(table: TableAttributes, fields: SagaFields): Item {
  const {
    saga,
    state,
    stateVersion = FIRST_STATE_VERSION,
    version,
    commitId,
    createdAt,
    updatedAt,
    timeouts,
  } = fields;
  const attributes: StoredAttributes = {
    state: { M: state },
    ...(stateVersion !== FIRST_STATE_VERSION && { stateVersion: { N: String(stateVersion) } }),
    version: { N: String(version) },
    commitId: { S: commitId },
    createdAt: { S: createdAt.toISOString() },
    updatedAt: { S: updatedAt.toISOString() },
    ...(timeouts.length > 0 && { timeouts: { L: timeouts.map(timeoutAttribute) } }),
    schemaVersion: { N: String(recordsSchemaVersion(stateVersion)) },
  };
  return { ...attributes, ...keyAttributes(table, sagaKey(saga)) };
}

/** Of an item whose outbox is in records. */
export function recordsSchemaVersion(stateVersion = FIRST_STATE_VERSION): number {
  return stateVersion === FIRST_STATE_VERSION ? SCHEMA_VERSION : VERSIONED_STATE_SCHEMA;
}

/**
 * {@link sagaItem} with its state compressed, where that saves a write unit.
 *
 * @param leaseOwner whoever has the saga locked: each of its writes is charged with the lease
 */
export function compressedSagaItem(
  table: TableAttributes,
  fields: SagaFields,
  leaseOwner: string | undefined,
): Item {
  const plain = sagaItem(table, fields);
  const lease =
    leaseOwner === undefined ? {} : { lease: leaseAttribute({ owner: leaseOwner, until: fields.updatedAt }) };
  const compressed = () => {
    const state = compressState(fields.state);
    return state ? withCompressedState(plain, state) : plain;
  };
  return cheaperForm(plain, compressed, (item) => writeUnits(itemSize(item) + itemSize(lease)));
}

export function withCompressedState(item: Item, state: Uint8Array): Item {
  const encoding: Encoding = 'br';
  return { ...item, state: { B: state }, encoding: { S: encoding } };
}

export function timeoutAttribute({ id, type, scheduled }: PendingTimeout): AttributeValue {
  return { M: { id: { S: id }, type: { S: type }, scheduled: { BOOL: scheduled } } };
}
