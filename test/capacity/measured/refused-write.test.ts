import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { refusedWriteUnits } from '../../../lib/capacity/measured/refused-write.ts';

const TableName = 'T';
const shape = { message: 'no', $metadata: {} };
const keyOf = (id: string) => ({ PK: { S: id }, SK: { S: 'x' } });
/** Its names and its key take 6 bytes with an id of one letter, the name of the filler one. */
const itemOf = (bytes: number, id = 'a') => ({ ...keyOf(id), F: { S: 'f'.repeat(bytes - 7) } });

describe('the write units of a call that a condition refused', () => {
  it.each([
    [1_024, undefined, 1],
    [1_025, undefined, 2],
    [100, 1_024, 1],
    [100, 1_025, 2],
    [3_000, 100, 3],
  ])('of a put of %i bytes where there is an item of %p bytes: %i', (bytes, there, units) => {
    const error = new ConditionalCheckFailedException({ ...shape, ...(there && { Item: itemOf(there) }) });
    expect(refusedWriteUnits({ operation: 'PutItem', input: { Item: itemOf(bytes) }, error })).toBe(units);
  });

  it.each([
    [{}, undefined, 1],
    [{ ':a': { S: 'x'.repeat(1_024) } }, undefined, 2],
    [{}, 2_049, 3],
  ])('of an update that sets %j where there is an item of %p bytes: %i', (values, there, units) => {
    const error = new ConditionalCheckFailedException({ ...shape, ...(there && { Item: itemOf(there) }) });
    const input = { TableName, Key: keyOf('a'), ExpressionAttributeValues: values };
    expect(refusedWriteUnits({ operation: 'UpdateItem', input, error })).toBe(units);
  });

  it.each([
    ['Put', { Item: itemOf(1_025) }, 4],
    ['Update', { Key: keyOf('b'), ExpressionAttributeValues: { ':a': { S: 'x'.repeat(1_024) } } }, 4],
    ['Update', { Key: keyOf('b') }, 2],
    ['ConditionCheck', { Key: keyOf('b') }, 2],
    ['Delete', { Key: keyOf('b') }, 2],
  ])('count every write of a cancelled transaction twice: %s of %j takes %i more', (kind, write, units) => {
    const TransactItems = [{ Put: { TableName, Item: itemOf(1_024) } }, { [kind]: { TableName, ...write } }];
    const call = { operation: 'TransactWriteItems', input: { TransactItems } };
    const cancelled = (...items: (ReturnType<typeof itemOf> | undefined)[]) =>
      new TransactionCanceledException({
        ...shape,
        CancellationReasons: [
          ...items.map((Item) => ({ Code: 'None', ...(Item && { Item }) })),
          { Code: 'ConditionalCheckFailed' },
        ],
      });
    expect(refusedWriteUnits({ ...call, error: new TransactionCanceledException(shape) })).toBe(2 + units);
    expect(refusedWriteUnits({ ...call, error: cancelled(itemOf(2_049)) })).toBe(6 + units);
    expect(refusedWriteUnits({ ...call, error: cancelled(undefined, itemOf(5_000)) })).toBe(2 + 10);
  });

  it.each([
    ['ConditionalCheckFailed', 2],
    ['TransactionConflict', 2],
    ['ThrottlingError', 0],
    ['ValidationError', 0],
  ])('of a transaction that is cancelled by %s: %i', (Code, units) => {
    const TransactItems = [{ Put: { TableName, Item: itemOf(100) } }];
    const error = new TransactionCanceledException({ ...shape, CancellationReasons: [{ Code }] });
    expect(refusedWriteUnits({ operation: 'TransactWriteItems', input: { TransactItems }, error })).toBe(
      units,
    );
  });

  it('are none of a call that was not refused by a condition', () => {
    const put = { operation: 'PutItem', input: { Item: itemOf(100) } };
    expect(refusedWriteUnits({ ...put, output: {} })).toBe(0);
    expect(refusedWriteUnits({ ...put, error: new Error('socket hang up') })).toBe(0);
    const get = { operation: 'TransactGetItems', input: { TransactItems: [] } };
    expect(refusedWriteUnits({ ...get, error: new TransactionCanceledException(shape) })).toBe(0);
  });
});
