import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import type { RecordedCall } from '../../lib/capacity/measured/recorded-call.ts';
import { countCalls } from './count-calls.ts';

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

function counted(...calls: readonly RecordedCall[]) {
  const recorder = new CallRecorder();
  for (const call of calls) recorder.add(call);
  return countCalls(recorder.calls, 2);
}

describe('the units of calls', () => {
  it('are those that the engine reports, by message, and those of refused writes by themselves', () => {
    const reported = (CapacityUnits: number) => ({
      ConsumedCapacity: [{ TableName: 'orders', CapacityUnits }],
    });
    const call = { operation: 'TransactWriteItems', input: transaction };
    const counts = counted(
      { ...call, output: reported(6) },
      { ...call, error: cancelled },
      { ...call, error: noConnection },
      { operation: 'UpdateItem', input: { TableName: 'orders', Key: key('one') }, error: refused(1025) },
      { operation: 'BatchGetItem', input: { RequestItems: {} }, output: reported(3) },
    );
    expect(counts).toMatchObject({
      rcuPerMessage: 3 / 2,
      wcuPerMessage: 6 / 2,
      refusedWcuPerMessage: (2 + 4 + 2) / 2,
      callsPerMessage: 5 / 2,
    });
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
    expect(counts).toEqual({
      refusedLockAttempts: 0,
      conflicts: 0,
      rcuPerMessage: 0,
      wcuPerMessage: 0,
      refusedWcuPerMessage: 0,
      callsPerMessage: 1,
    });
  });
});
