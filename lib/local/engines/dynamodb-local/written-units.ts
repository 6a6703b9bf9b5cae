import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { readUnits, writeUnits } from '../../../core/storage/capacity-units.ts';
import { itemSize } from '../../../core/storage/item-size.ts';
import { fromWire, type WireItem } from '../../proxy/wire-item.ts';
import type { DeclaredCapacity } from './table-capacity.ts';
import type { TableIndex, TableSchema } from './table-schemas.ts';

/** An item that a request writes or checks. */
export interface WrittenItem {
  readonly tableName: string;
  readonly schema: TableSchema;
  /** Undefined when it is not there. */
  readonly before: WireItem | undefined;
  readonly after: WireItem | undefined;
}

interface Pricing {
  /** 2 in a transaction, which prepares and commits. */
  readonly factor: 1 | 2;
  /** Whether the sum alone was asked for. */
  readonly isTotal: boolean;
}

/** What DynamoDB charges for these writes, table by table: by the larger image of each item; indexes are not doubled. */
export function unitsOfWrites(
  written: readonly WrittenItem[],
  { factor, isTotal }: Pricing,
): DeclaredCapacity[] {
  return [...Map.groupBy(written, ({ tableName }) => tableName)].map(([tableName, items]) => {
    const ofTable = sum(
      items,
      ({ before, after }) => factor * writeUnits(Math.max(sizeOf(before), sizeOf(after))),
    );
    const indexes = (items[0]?.schema.indexes ?? [])
      .map((index) => [index.name, sum(items, (item) => unitsOfIndex(index, item))] as const)
      .filter(([, units]) => units > 0);
    const units = ofTable + sum(indexes, ([, ofIndex]) => ofIndex);
    return {
      TableName: tableName,
      CapacityUnits: units,
      ...(factor === 2 && { WriteCapacityUnits: units }),
      ...(!isTotal && {
        Table: { CapacityUnits: ofTable },
        GlobalSecondaryIndexes: Object.fromEntries(
          indexes.map(([name, ofIndex]) => [name, { CapacityUnits: ofIndex }]),
        ),
      }),
    };
  });
}

/** A transaction that is sent again with its token takes two reads of each item, as it is now. */
export function unitsOfRepetition(written: readonly WrittenItem[], isTotal: boolean): DeclaredCapacity[] {
  return [...Map.groupBy(written, ({ tableName }) => tableName)].map(([tableName, items]) => {
    const units = sum(items, ({ before }) => 2 * readUnits(sizeOf(before), true));
    return {
      TableName: tableName,
      CapacityUnits: units,
      ReadCapacityUnits: units,
      ...(!isTotal && { Table: { CapacityUnits: units } }),
    };
  });
}

/** An entry that leaves the index is a write, and so is one that enters it; one that stays the same is none. */
function unitsOfIndex(index: TableIndex, { schema, before, after }: WrittenItem): number {
  const [left, entered] = [before, after].map((item) => entryOf(index, schema, item));
  if (JSON.stringify(left) === JSON.stringify(entered)) return 0;
  const isMoved = left && entered && !index.keyNames.every((name) => isSame(left[name], entered[name]));
  if (left && entered && !isMoved) return writeUnits(Math.max(sizeOf(left), sizeOf(entered)));
  return (left ? writeUnits(sizeOf(left)) : 0) + (entered ? writeUnits(sizeOf(entered)) : 0);
}

function entryOf(
  { keyNames, projected }: TableIndex,
  schema: TableSchema,
  item: WireItem | undefined,
): WireItem | undefined {
  if (item === undefined || !keyNames.every((name) => item[name] !== undefined)) return undefined;
  if (projected === 'all') return item;
  const names = [...schema.keyNames, ...keyNames, ...projected].filter((name) => item[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function sizeOf(item: WireItem | undefined): number {
  return item === undefined ? 0 : itemSize(fromWire(item) as Record<string, AttributeValue>);
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
