import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { type CallCounts, countCalls } from '../../bench/contention/count-calls.ts';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { RecordedCall } from '../../lib/capacity/measured/recorded-call.ts';

const shape = { message: 'refused', $metadata: {} };
const key = (name: string) => ({ PK: { S: name }, SK: { S: 'x' } });
const itemOf = (name: string, bytes: number) => ({
  ...key(name),
  // "PK", its value, "SK" and its value, and the name of this one.
  a: { S: 'x'.repeat(bytes - 2 - name.length - 2 - 1 - 1) },
});
const refused = (bytes: number) =>
  new ConditionalCheckFailedException({ ...shape, Item: itemOf('there', bytes) });
const cancelled = new TransactionCanceledException(shape);
const noConnection = new Error('no connection');
const put = (name: string, bytes: number) => ({ Put: { TableName: 'orders', Item: itemOf(name, bytes) } });
const transaction = { TransactItems: [put('one', 1024), put('two', 1025)] };

function counted(...calls: readonly RecordedCall[]): CallCounts {
  const recorder = new CallRecorder();
  for (const call of calls) recorder.add(call);
  return countCalls(recorder.calls);
}

describe('the write units of calls', () => {
  it('are what DynamoDB says of a plain write, and none of a read', () => {
    const output = { ConsumedCapacity: { CapacityUnits: 3 } };
    const input = { TableName: 'orders', Key: key('one') };
    expect(counted({ operation: 'UpdateItem', input, output }).writeUnits).toBe(3);
    expect(counted({ operation: 'GetItem', input, output }).writeUnits).toBe(0);
  });

  it('are twice those of each item of a transaction, refused or not', () => {
    const call = { operation: 'TransactWriteItems', input: transaction };
    expect(counted({ ...call, output: {} }).writeUnits).toBe(2 + 4);
    expect(counted({ ...call, error: cancelled }).writeUnits).toBe(2 + 4);
    expect(counted({ ...call, error: noConnection }).writeUnits).toBe(0);
    expect(counted({ ...call, error: cancelled }, { ...call, output: {} }).writeUnits).toBe(2 * (2 + 4));
  });

  it.each([
    ['Update', { Key: key('three'), ExpressionAttributeValues: { ':a': { S: 'x'.repeat(1024) } } }, 4],
    ['Update', { Key: key('three'), ExpressionAttributeValues: {} }, 2],
    ['ConditionCheck', { Key: key('three') }, 2],
    ['Delete', { Key: key('three') }, 2],
  ])('count what a transaction does besides putting items: %s of %j takes %i more', (write, input, units) => {
    const TransactItems = [...transaction.TransactItems, { [write]: { TableName: 'orders', ...input } }];
    const call = { operation: 'TransactWriteItems', input: { TransactItems } };
    expect(counted({ ...call, output: {} }).writeUnits).toBe(2 + 4 + units);
    expect(counted({ ...call, error: cancelled }).writeUnits).toBe(2 + 4 + units);
  });

  it.each([
    [1024, 1],
    [1025, 2],
  ])('of a refused write are those of the item of %i bytes that is there: %i', (bytes, units) => {
    expect(counted({ operation: 'UpdateItem', input: {}, error: refused(bytes) }).writeUnits).toBe(units);
  });

  it('of a refused write where there is no item are one', () => {
    const error = new ConditionalCheckFailedException(shape);
    expect(counted({ operation: 'UpdateItem', input: {}, error }).writeUnits).toBe(1);
  });
});

describe('the read units of calls', () => {
  const read = (ConsistentRead: boolean, found: number) => ({
    operation: 'BatchGetItem',
    input: { RequestItems: { orders: { Keys: [key('one'), key('none')], ConsistentRead } } },
    output: { Responses: { orders: [itemOf('one', found)] } },
  });

  it.each([
    [4096, true, 2],
    [4097, true, 3],
    [4096, false, 1],
  ])(
    'of an item of %i bytes and of one that is not there, consistent: %s, are %d',
    (bytes, consistent, units) => {
      expect(counted(read(consistent, bytes)).readUnits).toBe(units);
    },
  );

  it('are none of a write, and of a read that failed', () => {
    const input = { TableName: 'orders', Item: itemOf('one', 100) };
    expect(counted({ operation: 'PutItem', input, output: {} }).readUnits).toBe(0);
    const { operation, input: keys } = read(true, 100);
    expect(counted({ operation, input: keys, error: noConnection }).readUnits).toBe(0);
  });

  it('are added up', () => {
    expect(counted(read(true, 4096), read(false, 4096)).readUnits).toBe(3);
  });
});

describe('the refusals of calls', () => {
  const locking = { ExpressionAttributeValues: { ':lease': {} } };

  it('are lock attempts or conflicts', () => {
    const counts = counted(
      { operation: 'UpdateItem', input: locking, error: refused(100) },
      { operation: 'UpdateItem', input: { TableName: 'orders', Key: key('one'), ...locking }, output: {} },
      { operation: 'TransactWriteItems', input: transaction, error: cancelled },
      { operation: 'PutItem', input: {}, error: refused(100) },
    );
    expect(counts).toMatchObject({ refusedLockAttempts: 1, conflicts: 2 });
  });

  it('are none where the request did not get through', () => {
    const counts = counted(
      { operation: 'GetItem', input: {}, error: noConnection },
      { operation: 'UpdateItem', input: locking, error: noConnection },
    );
    expect(counts).toEqual({ refusedLockAttempts: 0, conflicts: 0, readUnits: 0, writeUnits: 0 });
  });
});
