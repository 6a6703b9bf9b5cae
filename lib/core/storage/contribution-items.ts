import type { Contribution } from '../saga/contribution.ts';
import { epochSeconds } from './epoch-seconds.ts';
import { type Item, keyAttributes, SCHEMA_VERSION, type TableAttributes } from './item-attributes.ts';
import { contributionKey } from './keys.ts';
import type { StoredAttributes } from './stored-attributes.ts';

/** The item of a contribution, which expires by itself. */
export function contributionItem(table: TableAttributes, contribution: Contribution): Item {
  const { value, expiresAt } = contribution;
  const attributes: StoredAttributes = { value, schemaVersion: { N: String(SCHEMA_VERSION) } };
  return {
    ...attributes,
    ...keyAttributes(table, contributionKey(contribution)),
    [table.timeToLiveAttributeName]: { N: String(epochSeconds(expiresAt)) },
  };
}
