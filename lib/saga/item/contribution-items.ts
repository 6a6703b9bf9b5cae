import {
  type Item,
  keyAttributes,
  SCHEMA_VERSION,
  type TableAttributes,
} from '../../dynamodb/item-attributes.ts';
import { contributionKey } from '../../dynamodb/keys.ts';
import type { StoredAttributes } from '../../dynamodb/stored-attributes.ts';
import { epochSeconds } from '../../kernel/epoch-seconds.ts';
import type { Contribution } from '../contribution.ts';

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
