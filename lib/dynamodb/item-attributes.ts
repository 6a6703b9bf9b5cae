import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Lease } from '../kernel/lease.ts';
import type { ItemKey } from './keys.ts';
import type { tableDefaults } from './table-defaults.ts';

/** The attributes of a table that its user names. */
export type TableAttributes = Readonly<Record<keyof typeof tableDefaults, string>>;

export type Item = Record<string, AttributeValue>;

/** Of every item but those below. */
export const SCHEMA_VERSION = 1;

/** Of a saga whose state has a version. */
export const VERSIONED_STATE_SCHEMA = 3;

/** Of a saga with an embedded outbox, whatever version its state has. */
export const EMBEDDED_SCHEMA = 2;

/** Of the form of a state that is stored without a version: its saga had no migration then. */
export const FIRST_STATE_VERSION = 1;

export function keyAttributes(table: TableAttributes, key: ItemKey): Item {
  return { [table.partitionKeyName]: { S: key.partition }, [table.sortKeyName]: { S: key.sort } };
}

/** What is wrong with an item of another schema; undefined for one of these. */
export function schemaProblem(
  { schemaVersion }: Item,
  known: readonly number[] = [SCHEMA_VERSION],
): string | undefined {
  if (known.some((each) => schemaVersion?.N === String(each))) return undefined;
  return `schemaVersion is ${schemaVersion?.N ?? 'missing'}, not ${known.join(' or ')}`;
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
