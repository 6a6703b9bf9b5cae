import { describe, expect, it } from '@jest/globals';
import { askedForUnits, withUnitsOfDynamoDB } from '../../../lib/local/engines/dynamodb-local-units.ts';

const TableName = 'T';
const put = { Put: { TableName } };
const check = { ConditionCheck: { TableName } };

/** What DynamoDB Local 2 reported for these transactions, in the form INDEXES. */
function transaction(items: object[], table: number, indexes: Record<string, number> = {}) {
  const units = (CapacityUnits: number) => ({ CapacityUnits, WriteCapacityUnits: CapacityUnits });
  const indexUnits = Object.values(indexes).reduce((sum, one) => sum + one, 0);
  const consumed = {
    TableName,
    ...units(table + indexUnits),
    Table: units(table),
    GlobalSecondaryIndexes: Object.fromEntries(
      Object.entries(indexes).map(([name, one]) => [name, units(one)]),
    ),
  };
  const request = { TransactItems: items, ReturnConsumedCapacity: 'TOTAL' };
  const { ConsumedCapacity } = withUnitsOfDynamoDB('TransactWriteItems', request, {
    ConsumedCapacity: [consumed],
  });
  return ConsumedCapacity;
}

describe('the units of a transaction on DynamoDB Local', () => {
  it.each([
    ['puts of 500 and 1,500 bytes', [put, put], 12, {}, 6],
    ['a put that an index takes', [put], 4, { byTime: 4 }, 3],
    ['two puts that two entries of an index take', [put, put], 12, { byTime: 8 }, 8],
    ['a put and a condition check', [put, check], 4, {}, 4],
    ['a delete of a missing item', [put], 2, {}, 2],
    ['a put of 1,500 bytes and a delete of a missing item', [put, put], 10, {}, 6],
  ])('are corrected for %s', (_what, items, table, indexes: Record<string, number>, units) => {
    expect(transaction(items, table, indexes)).toEqual([
      { TableName, CapacityUnits: units, WriteCapacityUnits: units },
    ]);
  });

  it('are the reads that it reports where a token is used again', () => {
    const consumed = { TableName, CapacityUnits: 2, ReadCapacityUnits: 2 };
    const request = { TransactItems: [put], ReturnConsumedCapacity: 'TOTAL' };
    const answer = { ConsumedCapacity: [consumed] };
    expect(withUnitsOfDynamoDB('TransactWriteItems', request, answer)).toEqual(answer);
  });

  it('are asked for by index where the sum was asked for, and not where nothing was', () => {
    const asked = (ReturnConsumedCapacity?: string) =>
      askedForUnits('TransactWriteItems', { ...(ReturnConsumedCapacity && { ReturnConsumedCapacity }) });
    expect(asked('TOTAL')).toEqual({ ReturnConsumedCapacity: 'INDEXES' });
    expect(asked()).toEqual({});
    expect(withUnitsOfDynamoDB('TransactWriteItems', {}, { Responses: [] })).toEqual({ Responses: [] });
  });
});

describe('the units of reads that find nothing on DynamoDB Local', () => {
  it.each([
    [true, 3],
    [false, 1.5],
  ])('are those of the smallest read, consistent: %s', (ConsistentRead, units) => {
    const keys = (count: number) => Array.from({ length: count }, (_, id) => ({ PK: { S: String(id) } }));
    const request = {
      RequestItems: { T: { Keys: keys(4), ConsistentRead }, U: { Keys: keys(1), ConsistentRead } },
      ReturnConsumedCapacity: 'TOTAL',
    };
    const answer = {
      Responses: { T: [{}] },
      UnprocessedKeys: { T: { Keys: keys(1) } },
      ConsumedCapacity: [{ TableName: 'T', CapacityUnits: units / 3 }],
    };
    expect(withUnitsOfDynamoDB('BatchGetItem', request, answer).ConsumedCapacity).toEqual([
      { TableName: 'T', CapacityUnits: units },
      { TableName: 'U', CapacityUnits: units / 3 },
    ]);
  });

  it.each([
    ['Query', true, 0, 1],
    ['Query', false, 0, 0.5],
    ['Scan', true, 0, 1],
    ['Query', true, 2.5, 2.5],
  ])('%s, consistent: %s, reported %d: %d', (operation, ConsistentRead, reported, units) => {
    const request = { TableName, ConsistentRead, ReturnConsumedCapacity: 'TOTAL' };
    const answer = { ConsumedCapacity: { TableName, CapacityUnits: reported } };
    expect(withUnitsOfDynamoDB(operation, request, answer)).toEqual({
      ConsumedCapacity: { TableName, CapacityUnits: units },
    });
  });
});
