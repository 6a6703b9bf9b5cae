import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Lease } from '../saga/lease.ts';
import type { ItemKey } from './keys.ts';
import type { tableDefaults } from './table-defaults.ts';

/** The attributes of a table that its user names. */
export type TableAttributes = Readonly<Record<keyof typeof tableDefaults, string>>;

export type Item = Record<string, AttributeValue>;

/** The schema of what this version of sagabox stores, in every item. */
export const SCHEMA_VERSION = 1;

export function keyAttributes(table: TableAttributes, key: ItemKey): Item {
  return { [table.partitionKeyName]: { S: key.partition }, [table.sortKeyName]: { S: key.sort } };
}

/** What is wrong with an item of another schema; undefined for one of this. */
export function schemaProblem({ schemaVersion }: Item): string | undefined {
  if (schemaVersion?.N === String(SCHEMA_VERSION)) return undefined;
  return `schemaVersion is ${schemaVersion?.N ?? 'missing'}, not ${SCHEMA_VERSION}`;
}

/** On a saga that somebody works on, or an outbox record that a relay works on or leaves alone. */
export function leaseAttribute({ owner, until, postponed }: Lease): AttributeValue {
  return {
    M: {
      owner: { S: owner },
      until: { N: String(until.getTime()) },
      ...(postponed && { postponed: { BOOL: true } }),
    },
  };
}
