import { requestedWrites } from '../../../capacity/measured/requested-writes.ts';
import type { WireItem } from '../../proxy/wire-item.ts';
import type { CallEngine, TableSchema, TableSchemas } from './table-schemas.ts';
import type { WrittenItem } from './written-units.ts';

type Json = Readonly<Record<string, unknown>>;

/** A write of a request. `after` is what the item becomes; `unknown` where only the engine knows. */
interface RequestedImage {
  readonly tableName: string;
  readonly schema: TableSchema;
  readonly key: WireItem;
  readonly after: WireItem | undefined | 'asBefore' | 'unknown';
}

/**
 * Makes a call that writes, and tells what its items were like before, and are like after it.
 *
 * Another call may change them in between: then the units that follow are those of other images, which is the
 * price of an engine that does not tell them.
 */
export async function withWrittenItems<T>(
  { operation, request }: { readonly operation: string; readonly request: Json },
  { call, schemas }: { readonly call: CallEngine; readonly schemas: TableSchemas },
  write: () => Promise<T>,
): Promise<{ readonly result: T; readonly written: readonly WrittenItem[] }> {
  const requested = await requestedImages(operation, request, schemas);
  const before = await imagesOf(requested, call);
  const result = await write();
  const updated = requested.filter(({ after }) => after === 'unknown');
  const now = updated.length === 0 ? new Map() : await imagesOf(updated, call);
  const written = requested.map((one) => {
    const name = nameOf(one.tableName, one.key);
    const was = before.get(name);
    const after = one.after === 'asBefore' ? was : one.after === 'unknown' ? now.get(name) : one.after;
    return { tableName: one.tableName, schema: one.schema, before: was, after };
  });
  return { result, written };
}

async function requestedImages(
  operation: string,
  request: Json,
  schemas: TableSchemas,
): Promise<RequestedImage[]> {
  return await Promise.all(
    requestedWrites<WireItem>(operation, request).map(async ({ kind, tableName, item, key }) => {
      const schema = await schemas.of(tableName);
      return { tableName, schema, key: key ?? keyIn(item ?? {}, schema), after: afterOf(kind, item) };
    }),
  );
}

function afterOf(kind: string, item: WireItem | undefined): RequestedImage['after'] {
  if (kind === 'ConditionCheck') return 'asBefore';
  return kind === 'Update' ? 'unknown' : item;
}

function keyIn(item: WireItem, { keyNames }: TableSchema): WireItem {
  return Object.fromEntries(keyNames.map((name) => [name, item[name]]));
}

/** The items that are there, by table and key. */
async function imagesOf(writes: readonly RequestedImage[], call: CallEngine): Promise<Map<string, WireItem>> {
  const byTable = Map.groupBy(writes, ({ tableName }) => tableName);
  const RequestItems = Object.fromEntries(
    [...byTable].map(([tableName, ofTable]) => [
      tableName,
      { Keys: ofTable.map(({ key }) => key), ConsistentRead: true },
    ]),
  );
  const { Responses: found = {} } = (await call('BatchGetItem', { RequestItems })) as {
    Responses?: Record<string, readonly WireItem[]>;
  };
  return new Map(
    [...byTable].flatMap(([tableName, [first]]) =>
      (found[tableName] ?? []).map((item) => [
        nameOf(tableName, first ? keyIn(item, first.schema) : {}),
        item,
      ]),
    ),
  );
}

function nameOf(tableName: string, key: WireItem): string {
  return JSON.stringify([
    tableName,
    ...Object.keys(key)
      .toSorted()
      .map((name) => key[name]),
  ]);
}
