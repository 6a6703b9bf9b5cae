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

  it('takes what a batch of writes says, of all its tables', () => {
    const RequestItems = { T: [{ PutRequest: { Item: itemOf(10) } }], U: [{ DeleteRequest: { Key: key } }] };
    const ConsumedCapacity = [
      { TableName: 'T', CapacityUnits: 3 },
      { TableName: 'U', CapacityUnits: 2 },
    ];
    expect(unitsOf(['BatchWriteItem', { RequestItems }, { ConsumedCapacity }])).toEqual({
      readUnits: 0,
      writeUnits: 5,
    });
  });

  it('counts each item of a batch of reads by itself, and a miss as the smallest item', () => {
    const keys = [key, { ...key, SK: { S: 'c' } }, { ...key, SK: { S: 'd' } }];
    const answer = { Responses: { T: [itemOf(4_096), { ...itemOf(4_097), SK: { S: 'c' } }] } };
    const readsOf = (ConsistentRead: boolean, body: object) =>
      unitsOf(['BatchGetItem', { RequestItems: { T: { Keys: keys, ConsistentRead } } }, body]).readUnits;
    expect(readsOf(true, answer)).toBe(1 + 2 + 1);
    expect(readsOf(false, answer)).toBe((1 + 2 + 1) / 2);
    expect(readsOf(true, { Responses: { T: [] } })).toBe(3);
    expect(readsOf(true, { ...answer, UnprocessedKeys: { T: { Keys: keys.slice(2) } } })).toBe(1 + 2);
  });

  it('counts each table of a batch of reads', () => {
    const RequestItems = { T: { Keys: [key], ConsistentRead: true }, U: { Keys: [key] } };
    expect(unitsOf(['BatchGetItem', { RequestItems }, { Responses: {} }]).readUnits).toBe(1.5);
  });

  it('counts a delete in a transaction by the item that a batch read or wrote', () => {
    const remove = transaction({ Delete: { TableName: 'T', Key: key } });
    const write: [string, object] = [
      'BatchWriteItem',
      { RequestItems: { T: [{ PutRequest: { Item: itemOf(3_000) } }] } },
    ];
    expect(unitsOf(write, remove).writeUnits).toBe(6);
    const read: [string, object, object] = [
      'BatchGetItem',
      { RequestItems: { T: { Keys: [key] } } },
      { Responses: { T: [itemOf(2_000)] } },
    ];
    expect(unitsOf(read, remove).writeUnits).toBe(4);
  });

  it('counts nothing for a batch that fails', () => {
    const keys = { RequestItems: { T: { Keys: [key] } } };
    const writes = { RequestItems: { T: [{ DeleteRequest: { Key: key } }] } };
    expect(unitsOf(['BatchGetItem', keys, {}, 400], ['BatchWriteItem', writes, {}, 400])).toEqual({
      readUnits: 0,
      writeUnits: 0,
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
