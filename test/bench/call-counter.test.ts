import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { CallCounter, writeUnitsOf } from '../../bench/contention/call-counter.ts';

const shape = { message: 'refused', $metadata: {} };
const itemOf = (bytes: number) => ({ PK: { S: 'x'.repeat(bytes - 2) } });
const refused = (bytes: number) => new ConditionalCheckFailedException({ ...shape, Item: itemOf(bytes) });
const cancelled = new TransactionCanceledException(shape);
const transaction = { TransactItems: [{ Put: { Item: itemOf(1024) } }, { Put: { Item: itemOf(1025) } }] };

describe('the write units of a call', () => {
  it('are what DynamoDB says of a plain write, and none of a read', () => {
    const output = { ConsumedCapacity: { CapacityUnits: 3 } };
    expect(writeUnitsOf({ operation: 'UpdateItem', input: {}, output })).toBe(3);
    expect(writeUnitsOf({ operation: 'GetItem', input: {}, output })).toBe(0);
  });

  it('are twice those of each item of a transaction, refused or not', () => {
    const call = { operation: 'TransactWriteItems', input: transaction };
    expect(writeUnitsOf({ ...call, output: {} })).toBe(2 + 4);
    expect(writeUnitsOf({ ...call, error: cancelled })).toBe(2 + 4);
    expect(writeUnitsOf({ ...call, error: new Error('no connection') })).toBe(0);
  });

  it.each([
    ['Update', { Key: { PK: { S: 'x' } }, ExpressionAttributeValues: { ':a': { S: 'x'.repeat(1024) } } }, 4],
    ['Update', { Key: { PK: { S: 'x' } }, ExpressionAttributeValues: {} }, 2],
    ['ConditionCheck', { Key: { PK: { S: 'x' } } }, 2],
    ['Delete', { Key: { PK: { S: 'x' } } }, 2],
  ])('count what a transaction does besides putting items: %s of %j takes %i more', (write, input, units) => {
    const TransactItems = [...transaction.TransactItems, { [write]: { TableName: 'orders', ...input } }];
    const call = { operation: 'TransactWriteItems', input: { TransactItems } };
    expect(writeUnitsOf({ ...call, output: {} })).toBe(2 + 4 + units);
    expect(writeUnitsOf({ ...call, error: cancelled })).toBe(2 + 4 + units);
  });

  it.each([
    [1024, 1],
    [1025, 2],
  ])('of a refused write are those of the item of %i bytes that is there: %i', (bytes, units) => {
    expect(writeUnitsOf({ operation: 'UpdateItem', input: {}, error: refused(bytes) })).toBe(units);
  });

  it('of a refused write where there is no item are one', () => {
    const error = new ConditionalCheckFailedException(shape);
    expect(writeUnitsOf({ operation: 'UpdateItem', input: {}, error })).toBe(1);
  });
});

describe('the counts', () => {
  it('tell refused lock attempts from conflicts', () => {
    const counter = new CallCounter();
    const locking = { ExpressionAttributeValues: { ':lease': {} } };
    counter.add({ operation: 'UpdateItem', input: locking, error: refused(100) });
    counter.add({ operation: 'UpdateItem', input: locking, output: {} });
    counter.add({ operation: 'TransactWriteItems', input: transaction, error: cancelled });
    counter.add({ operation: 'PutItem', input: {}, error: refused(100) });
    counter.add({ operation: 'GetItem', input: {}, error: new Error('no connection') });
    expect(counter).toMatchObject({ refusedLockAttempts: 1, conflicts: 2 });
  });
});
