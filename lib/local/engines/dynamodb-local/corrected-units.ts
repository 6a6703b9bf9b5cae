import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../capacity/measured/recorded-call.ts';
import { readUnits } from '../../../dynamodb/capacity-units.ts';
import { unitsOfRepetition, unitsOfWrites, type WrittenItem } from './written-units.ts';

type Json = Readonly<Record<string, unknown>>;

/** A call that DynamoDB Local has answered. */
interface AnsweredCall {
  readonly request: Json;
  readonly answer: Json;
  /** The items that the request writes or checks. */
  readonly written: readonly WrittenItem[];
}

type Correction = (call: AnsweredCall, reported: readonly ConsumedCapacity[]) => ConsumedCapacity[];

/**
 * The operations whose units DynamoDB Local reports wrongly, for some requests at least, and what DynamoDB
 * would report.
 *
 * - TransactWriteItems: it doubles what transactions take once more, counts items of equal units once, also
 *   of a repeated token, and condition checks not at all.
 * - BatchWriteItem: it charges 2 units for the delete of a missing item.
 * - BatchGetItem, Query and Scan: it charges nothing for what they do not find.
 *
 * Source of the rules: "DynamoDB read and write operations" in the Amazon DynamoDB Developer Guide.
 */
const corrections: Readonly<Record<string, Correction>> = {
  // A request that is sent again with its token reads what it wrote.
  TransactWriteItems: ({ written }, reported) =>
    reported.some(({ WriteCapacityUnits: units }) => units === undefined)
      ? unitsOfRepetition(written)
      : unitsOfWrites(written, true),
  BatchWriteItem: ({ written }) => unitsOfWrites(written, false),
  BatchGetItem: unitsOfBatch,
  Query: unitsOfSearch,
  Scan: unitsOfSearch,
};

export function isCorrected(operation: string): boolean {
  return Object.hasOwn(corrections, operation);
}

/** The answer with the units that DynamoDB would report. */
export function correctedAnswer(operation: string, call: AnsweredCall): Json {
  const { request, answer } = call;
  const { ConsumedCapacity: reported } = answer;
  const units = corrections[operation]?.(call, [reported ?? []].flat() as ConsumedCapacity[]);
  if (reported === undefined || units === undefined) return answer;
  const asked = request.ReturnConsumedCapacity === 'TOTAL' ? units.map(withoutParts) : units;
  return { ...answer, ConsumedCapacity: Array.isArray(reported) ? asked : asked[0] };
}

interface BatchedKeys {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

function unitsOfBatch(
  { request, answer }: AnsweredCall,
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

function unitsOfSearch({ request }: AnsweredCall, reported: readonly ConsumedCapacity[]): ConsumedCapacity[] {
  const CapacityUnits = readUnits(0, request.ConsistentRead === true);
  const ofTable = request.IndexName === undefined && { Table: { CapacityUnits } };
  return reported.map((units) => (units.CapacityUnits ? units : { ...units, CapacityUnits, ...ofTable }));
}

/** As `TOTAL` asks for them: the sum alone. */
function withoutParts(units: ConsumedCapacity): ConsumedCapacity {
  const { Table: _table, GlobalSecondaryIndexes: _indexes, ...total } = units;
  return total;
}
