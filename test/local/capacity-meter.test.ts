import { describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/local/capacity-meter.ts';

const key = { PK: { S: 'a' }, SK: { S: 'b' } };

/** Key attributes take 2 x (2 + 1) bytes; the name of the filler one. */
function itemOf(bytes: number): Record<string, unknown> {
  return { ...key, F: { S: 'x'.repeat(bytes - 7) } };
}

function unitsOf(...calls: [operation: string, request: object, body?: object, status?: number][]) {
  const meter = new CapacityMeter(new Map([['T', ['PK', 'SK']]]));
  for (const [operation, request, body = {}, status = 200] of calls) {
    meter.observe(
      { instanceId: 'i', functionName: 'f', service: 'dynamodb', operation, request: { ...request } },
      { status, body: { ...body } },
    );
  }
  const { readUnits, writeUnits } = meter.totals;
  return { readUnits, writeUnits };
}

function transaction(...TransactItems: object[]): [string, object] {
  return ['TransactWriteItems', { TransactItems }];
}

function put(bytes: number): object {
  return { Put: { TableName: 'T', Item: itemOf(bytes) } };
}

describe('the capacity meter', () => {
  it('takes what plain reads and writes say', () => {
    const consumed = { ConsumedCapacity: { TableName: 'T', CapacityUnits: 1.5 } };
    expect(
      unitsOf(['GetItem', { TableName: 'T', Key: key }, consumed], ['UpdateItem', {}, consumed]),
    ).toEqual({
      readUnits: 1.5,
      writeUnits: 1.5,
    });
  });

  it.each([
    [1_024, 2],
    [1_025, 4],
  ])('counts a put of %i bytes in a transaction as %i units', (bytes, writeUnits) => {
    expect(unitsOf(transaction(put(bytes))).writeUnits).toBe(writeUnits);
  });

  it('rounds each item of a transaction by itself', () => {
    expect(unitsOf(transaction(put(10), put(1_500))).writeUnits).toBe(6);
  });

  it('counts a delete in a transaction by the item last seen under its key', () => {
    const remove = { Delete: { TableName: 'T', Key: key } };
    expect(unitsOf(transaction(remove)).writeUnits).toBe(2);
    expect(unitsOf(transaction(put(3_000)), transaction(remove)).writeUnits).toBe(6 + 6);
    const read: [string, object, object] = ['GetItem', { TableName: 'T', Key: key }, { Item: itemOf(2_000) }];
    expect(unitsOf(read, transaction(remove)).writeUnits).toBe(4);
  });

  it('decodes binary values before it measures them', () => {
    const binary = { ...key, F: { B: Buffer.alloc(1_017).toString('base64') } };
    expect(unitsOf(transaction({ Put: { TableName: 'T', Item: binary } })).writeUnits).toBe(2);
  });

  it('charges what fails on a condition, and nothing else that fails', () => {
    const [operation, request] = transaction(put(10));
    const conditionFailed = { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] };
    expect(unitsOf([operation, request, conditionFailed, 400]).writeUnits).toBe(2);
    expect(unitsOf([operation, request, { __type: 'ValidationException' }, 400]).writeUnits).toBe(0);
    const refused = { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' };
    expect(unitsOf(['PutItem', { TableName: 'T', Item: itemOf(10) }, refused, 400]).writeUnits).toBe(1);
  });
});
