import { readUnits } from '../../../core/storage/capacity-units.ts';
import type { WireItem } from '../../proxy/wire-item.ts';
import type { DeclaredCapacity } from './table-capacity.ts';
import { unitsOfRepetition, unitsOfWrites, type WrittenItem } from './written-units.ts';

type Json = Readonly<Record<string, unknown>>;

/** The operations whose units DynamoDB Local reports wrongly, for some requests at least. */
export const correctedOperations = [
  'TransactWriteItems',
  'BatchWriteItem',
  'BatchGetItem',
  'Query',
  'Scan',
] as const;
export type CorrectedOperation = (typeof correctedOperations)[number];

/**
 * The answer of DynamoDB Local with the units that DynamoDB would report.
 *
 * - TransactWriteItems: it doubles what transactions take once more, counts items of equal units once, also of a repeated token, and
 *   condition checks not at all.
 * - BatchWriteItem: it charges 2 units for the delete of a missing item.
 * - BatchGetItem, Query and Scan: it charges nothing for what they do not find.
 *
 * Source of the rules: "DynamoDB read and write operations" in the Amazon DynamoDB Developer Guide.
 *
 * @param written the items that a request writes or checks, as they were before and are after it
 */
export function correctedAnswer(
  operation: CorrectedOperation,
  request: Json,
  answer: Json,
  written: readonly WrittenItem[],
): Json {
  const { ConsumedCapacity: reported } = answer;
  if (reported === undefined) return answer;
  const isTotal = request.ReturnConsumedCapacity === 'TOTAL';
  switch (operation) {
    case 'TransactWriteItems': {
      // A request that is sent again with its token reads what it wrote.
      const isRepeated = (reported as readonly DeclaredCapacity[]).some(
        (one) => one.WriteCapacityUnits === undefined,
      );
      const units = isRepeated
        ? unitsOfRepetition(written, isTotal)
        : unitsOfWrites(written, { factor: 2, isTotal });
      return { ...answer, ConsumedCapacity: units };
    }
    case 'BatchWriteItem':
      return { ...answer, ConsumedCapacity: unitsOfWrites(written, { factor: 1, isTotal }) };
    case 'BatchGetItem':
      return { ...answer, ConsumedCapacity: unitsOfBatch(request, answer, isTotal) };
    default:
      return { ...answer, ConsumedCapacity: unitsOfSearch(request, reported as DeclaredCapacity) };
  }
}

interface BatchedKeys {
  readonly Keys: readonly WireItem[];
  readonly ConsistentRead?: boolean;
}

function unitsOfBatch(request: Json, answer: Json, isTotal: boolean): DeclaredCapacity[] {
  const reported = answer.ConsumedCapacity as readonly DeclaredCapacity[];
  const found = (answer.Responses ?? {}) as Record<string, readonly WireItem[]>;
  const unprocessed = (answer.UnprocessedKeys ?? {}) as Record<string, BatchedKeys>;
  const tables = Object.entries((request.RequestItems ?? {}) as Record<string, BatchedKeys>);
  return tables.map(([tableName, { Keys: keys, ConsistentRead: isConsistent = false }]) => {
    const answered = keys.length - (unprocessed[tableName]?.Keys.length ?? 0);
    const missed = answered - (found[tableName]?.length ?? 0);
    const units =
      (reported.find(({ TableName: name }) => name === tableName)?.CapacityUnits ?? 0) +
      missed * readUnits(0, isConsistent);
    return {
      TableName: tableName,
      CapacityUnits: units,
      ...(!isTotal && { Table: { CapacityUnits: units } }),
    };
  });
}

function unitsOfSearch(request: Json, reported: DeclaredCapacity): DeclaredCapacity {
  if (reported.CapacityUnits > 0) return reported;
  const CapacityUnits = readUnits(0, request.ConsistentRead === true);
  const isOfTable = request.ReturnConsumedCapacity === 'INDEXES' && request.IndexName === undefined;
  return { ...reported, CapacityUnits, ...(isOfTable && { Table: { CapacityUnits } }) };
}
