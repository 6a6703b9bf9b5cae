import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { itemReadUnits, itemWriteUnits, TRANSACTION_FACTOR } from '../../../core/storage/capacity-units.ts';
import { fromWire, type WireItem } from '../../proxy/wire-item.ts';
import type { TableIndex, TableSchema } from './table-schemas.ts';

/** A part of `ConsumedCapacity`. */
export interface DeclaredCapacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
  readonly ReadCapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
  readonly Table?: { readonly CapacityUnits: number };
}

/** An item that a request writes or checks. */
export interface WrittenItem {
  readonly tableName: string;
  readonly schema: TableSchema;
  /** Undefined when it is not there. */
  readonly before: WireItem | undefined;
  readonly after: WireItem | undefined;
}

interface Pricing {
  readonly isTransaction: boolean;
  /** Whether the sum alone was asked for. */
  readonly isTotal: boolean;
}

/** What DynamoDB charges for these writes, table by table. */
export function unitsOfWrites(
  written: readonly WrittenItem[],
  { isTransaction, isTotal }: Pricing,
): DeclaredCapacity[] {
  return [...Map.groupBy(written, ({ tableName }) => tableName)].map(([tableName, items]) => {
    const factor = isTransaction ? TRANSACTION_FACTOR : 1;
    const ofTable = factor * sum(items, ({ before, after }) => unitsOf(before, after));
    const indexes = (items[0]?.schema.indexes ?? [])
      .map((index) => [index.name, sum(items, (item) => unitsOfIndex(index, item))] as const)
      .filter(([, units]) => units > 0);
    const units = ofTable + sum(indexes, ([, ofIndex]) => ofIndex);
    return {
      TableName: tableName,
      CapacityUnits: units,
      ...(isTransaction && { WriteCapacityUnits: units }),
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
    const units = sum(items, ({ before }) => TRANSACTION_FACTOR * itemReadUnits(decoded(before), true));
    return {
      TableName: tableName,
      CapacityUnits: units,
      ReadCapacityUnits: units,
      ...(!isTotal && { Table: { CapacityUnits: units } }),
    };
  });
}

/** An entry that enters or leaves the index is a write each; one that stays the same is none. */
function unitsOfIndex(index: TableIndex, { schema, before, after }: WrittenItem): number {
  const [left, entered] = [before, after].map((item) => entryOf(index, schema, item));
  if (JSON.stringify(left) === JSON.stringify(entered)) return 0;
  const isMoved = left && entered && !index.keyNames.every((name) => isSame(left[name], entered[name]));
  if (left && entered && !isMoved) return unitsOf(left, entered);
  return (left ? unitsOf(left) : 0) + (entered ? unitsOf(entered) : 0);
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

function unitsOf(...images: readonly (WireItem | undefined)[]): number {
  return itemWriteUnits(...images.map(decoded));
}

function decoded(item: WireItem | undefined): Record<string, AttributeValue> | undefined {
  return item && (fromWire(item) as Record<string, AttributeValue>);
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
