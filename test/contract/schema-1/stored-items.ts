import { readFileSync } from 'node:fs';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Item, putItem } from '../../support/raw-items.ts';
import { createIndexedTable } from '../../support/relay-subject.ts';

interface Items {
  /** ISO 8601: when the requests of the dispatches were made. */
  readonly readAt: string;
  readonly items: readonly Item[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));
const stored = read('items') as Items;
const chunks = read('chunks') as readonly Item[];

export const readAt = new Date(stored.readAt);

/** What the code that stored the records sent for each, by `<endpoint>/<message id>`. */
export const dispatches = read('dispatches') as Readonly<Record<string, readonly object[]>>;

/** As they were stored, the chunks of records last. */
export const storedItems: readonly Item[] = [...stored.items, ...chunks].map((item) => withBytes(item));

/** A table of today with all of them; returns its name. */
export async function tableOfSchema1(client: DynamoDBClient): Promise<string> {
  const tableName = await createIndexedTable(client);
  for (const item of storedItems) await putItem(client, tableName, item);
  return tableName;
}

/** JSON has no bytes: they are base64. */
function withBytes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withBytes) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const { B: bytes } = value as { readonly B?: unknown };
  if (typeof bytes === 'string') return { B: new Uint8Array(Buffer.from(bytes, 'base64')) } as Value;
  const entries = Object.entries(value as Record<string, AttributeValue>);
  return Object.fromEntries(entries.map(([name, part]) => [name, withBytes(part)])) as Value;
}
