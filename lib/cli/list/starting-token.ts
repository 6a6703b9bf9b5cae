import { type Item, keyAttributes } from '../../dynamodb/item-attributes.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { parsedJson } from '../../kernel/parsed-json.ts';
import { RefusedInput } from '../command.ts';

/** The key of an item, for the scan to go on behind it. */
export function tokenOf({ partitionKeyName, sortKeyName }: Table, key: Item): string {
  const parts = [key[partitionKeyName]?.S, key[sortKeyName]?.S];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws RefusedInput */
export function keyOf(table: Table, token: string): Item {
  const parts = parsedJson(Buffer.from(token, 'base64url').toString());
  const [partition, sort, ...others] = Array.isArray(parts) ? parts : [];
  const isKey = [partition, sort].every((part) => typeof part === 'string' && part !== '');
  if (isKey && others.length === 0) return keyAttributes(table, { partition, sort });
  throw new RefusedInput(['--starting-token: it is not what a page ended with']);
}
