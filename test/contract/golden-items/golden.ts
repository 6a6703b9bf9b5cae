import { readFileSync, writeFileSync } from 'node:fs';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Item, putItem } from '../../support/raw-items.ts';
import { createStreamedTable } from '../../support/relay-subject.ts';
import type { GoldenMessage } from './messages.ts';

/** When the items are stored. */
export const writtenAt = new Date('2026-01-02T03:04:05.678Z');

/** When what they left is sent, and relays have done their part. */
export const readAt = new Date('2026-01-02T03:24:05.678Z');

type FileName = 'items' | 'chunks' | 'dispatches';
const urlOf = (name: FileName) => new URL(`./${name}.json`, import.meta.url);
const read = (name: FileName): unknown => JSON.parse(readFileSync(urlOf(name), 'utf8'));

export interface Golden {
  readonly items: readonly Item[];
  /** What is sent for each message that left something, by `<endpoint>/<message id>`. */
  readonly dispatches: Readonly<Record<string, readonly object[]>>;
}

export const idOf = ([endpoint, ...ids]: GoldenMessage['to']): string => `${endpoint}/${ids.join('/')}`;

export function readGolden(): Golden {
  const items = [...(read('items') as Item[]), ...(read('chunks') as Item[])].map((item) => withBytes(item));
  return { items, dispatches: read('dispatches') as Golden['dispatches'] };
}

/** An item or a request a line. The items of chunks, which take much, are apart. */
export function writeGolden({ items, dispatches }: Golden): void {
  const isChunk = ({ SK }: Item) => SK?.S?.startsWith('CHUNK') === true;
  const lines = (values: readonly object[]) =>
    `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]`;
  const write = (name: FileName, json: string) => writeFileSync(urlOf(name), `${json}\n`);
  write('items', lines(withBase64(items.filter((item) => !isChunk(item)))));
  write('chunks', lines(withBase64(items.filter(isChunk))));
  const requests = Object.entries(dispatches).map(([id, sent]) => `${JSON.stringify(id)}: ${lines(sent)}`);
  write('dispatches', `{\n${requests.join(',\n')}\n}`);
}

/** A table with all of them; returns its name. */
export async function goldenTable(client: DynamoDBClient): Promise<string> {
  const tableName = await createStreamedTable(client);
  await Promise.all(readGolden().items.map((item) => putItem(client, tableName, item)));
  return tableName;
}

/** JSON has no bytes: they are base64. */
export function withBase64<Value>(value: Value): Value {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64') as Value;
  if (Array.isArray(value)) return value.map(withBase64) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, withBase64(part)])) as Value;
}

function withBytes<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withBytes) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const { B: bytes } = value as { readonly B?: unknown };
  if (typeof bytes === 'string') return { B: new Uint8Array(Buffer.from(bytes, 'base64')) } as Value;
  const entries = Object.entries(value as Record<string, AttributeValue>);
  return Object.fromEntries(entries.map(([name, part]) => [name, withBytes(part)])) as Value;
}
