/**
 * What DynamoDB Local reports wrongly of the capacity that a call consumed, set right. Other engines report what DynamoDB charges.
 *
 * - TransactWriteItems: its tables are charged twice what DynamoDB charges, its indexes four times, its condition checks nothing.
 * - BatchGetItem, Query and Scan: what they do not find is charged nothing, where DynamoDB charges the smallest read.
 *
 * Not to be told from the answer, and so not corrected: a condition check of an item over 1 KB, several deletes of missing items in one
 * transaction, and a delete of a missing item in a BatchWriteItem. Source: "DynamoDB read and write operations" in the Amazon DynamoDB
 * Developer Guide.
 */

type Json = Record<string, unknown>;

interface Units {
  readonly CapacityUnits?: number;
  readonly ReadCapacityUnits?: number;
  readonly WriteCapacityUnits?: number;
}

interface TableCapacity extends Units {
  readonly TableName: string;
  readonly Table?: Units;
  readonly LocalSecondaryIndexes?: Record<string, Units>;
  readonly GlobalSecondaryIndexes?: Record<string, Units>;
}

/** The least that a table of a transaction is charged for each of its items. */
const unitsOfTransactedItem = 2;
const tableFactor = 2;
const indexFactor = 4;

/** The request as it has to be asked, for the answer to tell what the correction needs. */
export function askedForUnits(operation: string, request: Json): Json {
  const isTotal = request.ReturnConsumedCapacity === 'TOTAL';
  return operation === 'TransactWriteItems' && isTotal
    ? { ...request, ReturnConsumedCapacity: 'INDEXES' }
    : request;
}

/**
 * The answer with the units that DynamoDB would report.
 *
 * @param request as the caller asked it
 * @param answer to a request of {@link askedForUnits}
 */
export function withUnitsOfDynamoDB(operation: string, request: Json, answer: Json): Json {
  const detail = request.ReturnConsumedCapacity;
  if (answer.ConsumedCapacity === undefined || (detail !== 'TOTAL' && detail !== 'INDEXES')) return answer;
  const isTotal = detail === 'TOTAL';
  switch (operation) {
    case 'TransactWriteItems':
      return { ...answer, ConsumedCapacity: transaction(request, tablesOf(answer), isTotal) };
    case 'BatchGetItem':
      return { ...answer, ConsumedCapacity: batchOfReads(request, answer, isTotal) };
    case 'Query':
    case 'Scan':
      return { ...answer, ConsumedCapacity: search(request, answer.ConsumedCapacity as TableCapacity) };
    default:
      return answer;
  }
}

function tablesOf({ ConsumedCapacity: consumed }: Json): readonly TableCapacity[] {
  return consumed as TableCapacity[];
}

function transaction(request: Json, tables: readonly TableCapacity[], isTotal: boolean): TableCapacity[] {
  const writes = ((request.TransactItems ?? []) as Json[]).flatMap((item) => Object.entries(item));
  return tables.map((consumed) => {
    // A request that is sent again with its token reads what it wrote: that is reported right.
    if (consumed.WriteCapacityUnits === undefined) return consumed;
    const ofTable = writes.filter(([, write]) => (write as Json).TableName === consumed.TableName);
    const checks = ofTable.filter(([kind]) => kind === 'ConditionCheck').length;
    const reported = consumed.Table?.CapacityUnits ?? 0;
    // A delete of a missing item is not doubled: what it takes from the sum makes it uneven.
    const written = roundUpToEven(reported / tableFactor);
    const table = Math.max(written + unitsOfTransactedItem * checks, unitsOfTransactedItem * ofTable.length);
    const indexes = Object.entries(consumed.GlobalSecondaryIndexes ?? {}).map(
      ([name, { CapacityUnits: units = 0 }]) => [name, unitsOf(units / indexFactor)] as const,
    );
    const sum = indexes.reduce((total, [, { CapacityUnits: units }]) => total + units, table);
    return {
      TableName: consumed.TableName,
      ...unitsOf(sum),
      ...(!isTotal && {
        Table: unitsOf(table),
        ...(indexes.length > 0 && { GlobalSecondaryIndexes: Object.fromEntries(indexes) }),
      }),
    };
  });
}

function unitsOf(units: number): { CapacityUnits: number; WriteCapacityUnits: number } {
  return { CapacityUnits: units, WriteCapacityUnits: units };
}

function roundUpToEven(units: number): number {
  return 2 * Math.ceil(units / 2);
}

interface BatchedKeys {
  readonly Keys: readonly unknown[];
  readonly ConsistentRead?: boolean;
}

function batchOfReads(request: Json, answer: Json, isTotal: boolean): TableCapacity[] {
  const responses = (answer.Responses ?? {}) as Record<string, readonly unknown[]>;
  const unprocessed = (answer.UnprocessedKeys ?? {}) as Record<string, BatchedKeys>;
  return Object.entries((request.RequestItems ?? {}) as Record<string, BatchedKeys>).map(
    ([tableName, { Keys: keys, ConsistentRead: isConsistent }]) => {
      const reported = tablesOf(answer).find(({ TableName: name }) => name === tableName)?.CapacityUnits ?? 0;
      const answered = keys.length - (unprocessed[tableName]?.Keys.length ?? 0);
      const missed = answered - (responses[tableName]?.length ?? 0);
      const units = reported + missed * smallestRead(isConsistent);
      return {
        TableName: tableName,
        CapacityUnits: units,
        ...(!isTotal && { Table: { CapacityUnits: units } }),
      };
    },
  );
}

function search(request: Json, consumed: TableCapacity): TableCapacity {
  const units = consumed.CapacityUnits ?? 0;
  const isMiss = units === 0;
  return isMiss ? { ...consumed, CapacityUnits: smallestRead(request.ConsistentRead === true) } : consumed;
}

function smallestRead(isConsistent: boolean | undefined): number {
  return isConsistent ? 1 : 0.5;
}
