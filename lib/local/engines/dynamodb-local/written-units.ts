import { isDeepStrictEqual } from 'node:util';
import type {
  ConsumedCapacity,
  GlobalSecondaryIndexDescription,
  KeySchemaElement,
  TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../capacity/measured/recorded-call.ts';
import { itemReadUnits, itemWriteUnits, TRANSACTION_FACTOR } from '../../../dynamodb/capacity-units.ts';

/** An item that a request writes or checks, before and after it; each image undefined if there is none. */
export interface WrittenItem {
  readonly tableName: string;
  readonly table: TableDescription;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** What DynamoDB charges for these writes, table by table. */
export function unitsOfWrites(written: readonly WrittenItem[], isTransaction: boolean): ConsumedCapacity[] {
  return byTable(
    written,
    (items, { GlobalSecondaryIndexes: global = [], LocalSecondaryIndexes: local = [] }) => {
      const factor = isTransaction ? TRANSACTION_FACTOR : 1;
      const ofTable = factor * sum(items, ({ before, after }) => itemWriteUnits(before, after));
      const indexes = [...global, ...local]
        .map((index) => [index.IndexName, sum(items, (item) => unitsOfIndex(index, item))] as const)
        .filter(([, units]) => units > 0);
      const units = ofTable + sum(indexes, ([, ofIndex]) => ofIndex);
      return {
        CapacityUnits: units,
        ...(isTransaction && { WriteCapacityUnits: units }),
        Table: { CapacityUnits: ofTable },
        GlobalSecondaryIndexes: Object.fromEntries(
          indexes.map(([name, ofIndex]) => [name, { CapacityUnits: ofIndex }]),
        ),
      };
    },
  );
}

/** A transaction that is sent again with its token takes two reads of each item, as it is now. */
export function unitsOfRepetition(written: readonly WrittenItem[]): ConsumedCapacity[] {
  return byTable(written, (items) => {
    const units = sum(items, ({ before }) => TRANSACTION_FACTOR * itemReadUnits(before, true));
    return { CapacityUnits: units, ReadCapacityUnits: units, Table: { CapacityUnits: units } };
  });
}

export function keyNamesOf(keys: readonly KeySchemaElement[] = []): (string | undefined)[] {
  return keys.map(({ AttributeName: name }) => name);
}

function byTable(
  written: readonly WrittenItem[],
  unitsOf: (items: readonly WrittenItem[], table: TableDescription) => ConsumedCapacity,
): ConsumedCapacity[] {
  return [...Map.groupBy(written, ({ tableName }) => tableName)].map(([TableName, items]) => ({
    TableName,
    ...unitsOf(items, items[0]?.table ?? {}),
  }));
}

/** An entry that enters or leaves the index is a write each; one that stays the same is none. */
function unitsOfIndex(index: GlobalSecondaryIndexDescription, { table, before, after }: WrittenItem): number {
  const [left, entered] = [before, after].map((item) => entryOf(index, table, item));
  if (isDeepStrictEqual(left, entered)) return 0;
  const isMoved = keyNamesOf(index.KeySchema).some(
    (name = '') => !isDeepStrictEqual(left?.[name], entered?.[name]),
  );
  if (left && entered && isMoved) return itemWriteUnits(left) + itemWriteUnits(entered);
  return itemWriteUnits(left, entered);
}

/** @returns undefined for an item that the index leaves out */
function entryOf(
  { KeySchema: keys, Projection: projection = {} }: GlobalSecondaryIndexDescription,
  table: TableDescription,
  item: Item | undefined,
): Item | undefined {
  if (item === undefined || !keyNamesOf(keys).every((name = '') => item[name] !== undefined))
    return undefined;
  if (projection.ProjectionType === 'ALL') return item;
  const names = [...keyNamesOf(table.KeySchema), ...keyNamesOf(keys), ...(projection.NonKeyAttributes ?? [])];
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
