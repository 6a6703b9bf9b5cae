import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { CallRecorder } from '../../../lib/capacity/measured/call-recorder.ts';
import type { MeteredCall, RecordedCall } from '../../../lib/capacity/measured/recorded-call.ts';

const TableName = 'T';
const key = { PK: { S: 'OUTBOX#e#m' }, SK: { S: 'RECORD' } };

function metered(call: RecordedCall): { call: MeteredCall | undefined; doubts: readonly string[] } {
  const recorder = new CallRecorder();
  recorder.add(call);
  return { call: recorder.calls[0], doubts: recorder.doubts };
}

describe('the units of a recorded call', () => {
  it.each([
    ['GetItem', { CapacityUnits: 7 }, { rcu: 7, wcu: 0 }],
    ['Query', { CapacityUnits: 0.5 }, { rcu: 0.5, wcu: 0 }],
    ['BatchGetItem', [{ CapacityUnits: 1 }, { TableName: 'U', CapacityUnits: 2 }], { rcu: 3, wcu: 0 }],
    ['PutItem', { CapacityUnits: 3 }, { rcu: 0, wcu: 3 }],
    ['BatchWriteItem', [{ CapacityUnits: 3 }], { rcu: 0, wcu: 3 }],
    ['TransactWriteItems', [{ CapacityUnits: 6, WriteCapacityUnits: 6 }], { rcu: 0, wcu: 6 }],
    ['BatchExecuteStatement', [{ CapacityUnits: 1 }, { CapacityUnits: 2 }], { rcu: 0, wcu: 3 }],
    // Sent again with its token, a transaction reads what it wrote.
    ['TransactWriteItems', [{ CapacityUnits: 4, ReadCapacityUnits: 4 }], { rcu: 4, wcu: 0 }],
  ])('are those that the engine reports: %s %j', (operation, ConsumedCapacity, units) => {
    const { call, doubts } = metered({ operation, input: {}, output: { ConsumedCapacity } });
    expect(call).toMatchObject({ units, refusedWcu: 0 });
    expect(doubts).toEqual([]);
  });

  it.each([
    ['ExecuteStatement', { Statement: 'SELECT * FROM "T"' }, { rcu: 2, wcu: 0 }],
    ['ExecuteStatement', { Statement: 'UPDATE "T" SET a = 1' }, { rcu: 0, wcu: 2 }],
    ['BatchExecuteStatement', { Statements: [{ Statement: ' select 1' }] }, { rcu: 2, wcu: 0 }],
    ['ExecuteTransaction', { TransactStatements: [{ Statement: 'DELETE FROM "T"' }] }, { rcu: 0, wcu: 2 }],
  ])('of a PartiQL statement are reads or writes by what it does: %s %j', (operation, input, units) => {
    const output = { ConsumedCapacity: [{ TableName, CapacityUnits: 2 }] };
    expect(metered({ operation, input, output }).call).toMatchObject({ units });
  });

  it('are none of a call to SQS, and of one that failed', () => {
    const none = { units: { rcu: 0, wcu: 0 }, refusedWcu: 0 };
    const sent = metered({ operation: 'SendMessageBatch', input: {}, output: {} });
    expect(sent).toMatchObject({ call: none, doubts: [] });
    const failed = metered({ operation: 'GetItem', input: {}, error: new Error('socket hang up') });
    expect(failed).toMatchObject({ call: none, doubts: [] });
  });

  it('stand by themselves where a condition refused the call', () => {
    const error = new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
    const { call, doubts } = metered({ operation: 'PutItem', input: { TableName, Item: key }, error });
    expect(call).toMatchObject({ units: { rcu: 0, wcu: 0 }, refusedWcu: 1 });
    expect(doubts).toEqual([]);
  });

  it('are doubted where the call did not ask for them', () => {
    const { call, doubts } = metered({ operation: 'PutItem', input: { TableName, Item: key }, output: {} });
    expect(call).toMatchObject({ units: { rcu: 0, wcu: 0 } });
    expect(doubts).toEqual(['PutItem did not ask for its consumed capacity']);
  });
});

describe('the messages of a report', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, null, '3'])('are not %j', (messages) => {
    const report = () => new CallRecorder().report({ outgoing: 1 }, { messages: messages as number });
    expect(report).toThrow(expect.objectContaining({ code: 'Configuration' }));
    expect(report).toThrow(/messages: .* Use a whole number of at least 1/);
  });

  it('are a whole number, by default one', () => {
    const recorder = new CallRecorder();
    const planned = (messages?: number) =>
      recorder
        .report({ outgoing: 1 }, messages === undefined ? {} : { messages })
        .steps.reduce((sum, { predicted: { wcu } }) => sum + wcu, 0);
    expect(planned(1)).toBe(planned());
    expect(planned(3)).toBe(3 * planned());
  });
});
