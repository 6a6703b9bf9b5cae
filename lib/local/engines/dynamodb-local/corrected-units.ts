import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../capacity/measured/recorded-call.ts';
import { readUnits } from '../../../core/storage/capacity-units.ts';
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
 * - TransactWriteItems: it doubles what transactions take once more, counts items of equal units once, also
 *   of a repeated token, and condition checks not at all.
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
  if (answer.ConsumedCapacity === undefined) return answer;
  const reported = [answer.ConsumedCapacity].flat() as ConsumedCapacity[];
  const corrected = correctedUnits(operation, request, answer, reported, written).map((units) =>
    request.ReturnConsumedCapacity === 'TOTAL' ? withoutParts(units) : units,
  );
  return {
    ...answer,
    ConsumedCapacity: Array.isArray(answer.ConsumedCapacity) ? corrected : corrected[0],
  };
}

function correctedUnits(
  operation: CorrectedOperation,
  request: Json,
  answer: Json,
  reported: readonly ConsumedCapacity[],
  written: readonly WrittenItem[],
): ConsumedCapacity[] {
  switch (operation) {
    case 'TransactWriteItems':
      // A request that is sent again with its token reads what it wrote.
      return reported.some(({ WriteCapacityUnits: units }) => units === undefined)
        ? unitsOfRepetition(written)
        : unitsOfWrites(written, true);
    case 'BatchWriteItem':
      return unitsOfWrites(written, false);
    case 'BatchGetItem':
      return unitsOfBatch(request, answer, reported);
    default:
      return reported.map((units) => unitsOfSearch(request, units));
  }
}

interface BatchedKeys {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

function unitsOfBatch(
  request: Json,
  answer: Json,
  reported: readonly ConsumedCapacity[],
): ConsumedCapacity[] {
  const found = (answer.Responses ?? {}) as Record<string, readonly Item[]>;
  const unprocessed = (answer.UnprocessedKeys ?? {}) as Record<string, BatchedKeys>;
  const tables = Object.entries((request.RequestItems ?? {}) as Record<string, BatchedKeys>);
  return tables.map(([TableName, { Keys: keys, ConsistentRead: isConsistent = false }]) => {
    const answered = keys.length - (unprocessed[TableName]?.Keys.length ?? 0);
    const missed = answered - (found[TableName]?.length ?? 0);
    const { CapacityUnits: ofFound = 0 } = reported.find((one) => one.TableName === TableName) ?? {};
    const CapacityUnits = ofFound + missed * readUnits(0, isConsistent);
    return { TableName, CapacityUnits, Table: { CapacityUnits } };
  });
}

function unitsOfSearch(request: Json, reported: ConsumedCapacity): ConsumedCapacity {
  if (reported.CapacityUnits) return reported;
  const CapacityUnits = readUnits(0, request.ConsistentRead === true);
  return { ...reported, CapacityUnits, ...(request.IndexName === undefined && { Table: { CapacityUnits } }) };
}

/** As `TOTAL` asks for them: the sum alone. */
function withoutParts(units: ConsumedCapacity): ConsumedCapacity {
  const { Table: _table, GlobalSecondaryIndexes: _indexes, ...total } = units;
  return total;
}
