import { describe, expect, it } from '@jest/globals';
import { mixedSteps, stepsOf } from '../../../lib/capacity/measured/call-steps.ts';
import type { RecordedCall } from '../../../lib/capacity/measured/recorded-call.ts';
import type { CapacityUnitsPlan } from '../../../lib/capacity/message-shape.ts';

const saga = { PK: { S: 'SAGA#Order#1' }, SK: { S: 'SAGA' } };
const record = { PK: { S: 'OUTBOX#e#m' }, SK: { S: 'RECORD' } };
const chunk = { PK: { S: 'OUTBOX#e#m' }, SK: { S: 'CHUNK#0001' } };
const mine = { id: { S: 'mine' } };
const put = (TableName: string, Item: object) => ({ Put: { TableName, Item } });

function steps(call: RecordedCall, units: Partial<CapacityUnitsPlan> = {}) {
  return stepsOf({ ...call, units: { rcu: 0, wcu: 0, ...units }, refusedWcu: 0, isUnreported: false });
}

describe('the steps of a call', () => {
  it.each([
    ['GetItem', { Key: record }, ['dedup check'], 1],
    ['GetItem', { Key: saga }, ['load'], 1],
    ['UpdateItem', { Key: saga, UpdateExpression: 'SET lease = :lease' }, ['lock'], 1],
    ['UpdateItem', { Key: saga, UpdateExpression: 'REMOVE lease' }, ['release'], 1],
    ['UpdateItem', { Key: record, UpdateExpression: 'SET attempts = :a' }, ['other'], 1],
    ['UpdateItem', { Key: record, UpdateExpression: 'SET #sent = :sent' }, ['clear'], 1],
    ['PutItem', { Item: record }, ['commit'], 1],
    ['DeleteItem', { Key: saga, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }, ['commit'], 1],
    ['DeleteItem', { Key: saga }, ['release'], 1],
    ['PutItem', { Item: mine }, ['other'], 1],
    ['SendMessageBatch', { Entries: [{}, {}] }, ['dispatch'], 2],
    ['DescribeTable', {}, ['other'], 0],
  ])('%s %j: %j', (operation, input, names, items) => {
    const all = steps({ operation, input: { TableName: 'T', ...input }, output: {} }, { wcu: 3 });
    expect(all).toEqual([{ names, operation, calls: 1, items, rcu: 0, wcu: 3, refusedWcu: 0 }]);
  });

  it.each([
    [{ inbox: 'inbox', lease: 'lease' }, 'SET #inbox = :a REMOVE #lease', 'commit'],
    [{ p: 'pending', k: 'abc' }, 'REMOVE #p.#k', 'mark'],
    [{ p: 'pending', k: 'abc', s: 'storedAt' }, 'REMOVE #p.#k, #s', 'mark'],
    [{ p: 'pending', k: 'abc', s: 'sent' }, 'SET #p.#k.#s = :sent', 'clear'],
    [{ lease: 'lease' }, 'SET #lease = :lease', 'lock'],
    [{ lease: 'lease' }, 'REMOVE #lease', 'release'],
  ])('are those of a saga with an embedded outbox, by what is written: %j', (names, expression, step) => {
    const ExpressionAttributeNames = Object.fromEntries(
      Object.entries(names).map(([placeholder, name]) => [`#${placeholder}`, name]),
    );
    const input = { TableName: 'T', Key: saga, UpdateExpression: expression, ExpressionAttributeNames };
    expect(steps({ operation: 'UpdateItem', input, output: {} })).toMatchObject([{ names: [step] }]);
  });

  it('are those of the statements of a batch, each of one item', () => {
    const where = 'WHERE "PK" = ? AND "SK" = ?';
    const Statements = [
      {
        Statement: `UPDATE "T" SET "inbox" = ? ${where}`,
        Parameters: [{ B: new Uint8Array() }, saga.PK, saga.SK],
      },
      { Statement: `UPDATE "T" REMOVE "pending"."abc" ${where}`, Parameters: [saga.PK, saga.SK] },
      {
        Statement: `INSERT INTO "T" VALUE {'PK': ?, 'SK': ?, 'inbox': ?}`,
        Parameters: [saga.PK, saga.SK, { B: new Uint8Array() }],
      },
    ];
    const call = { operation: 'BatchExecuteStatement', input: { Statements }, output: {} };
    expect(steps(call)).toMatchObject([{ names: ['commit', 'mark'], calls: 1, items: 3 }]);
  });

  it('tell what is appended and collected by the keys of its saga', () => {
    const value = { PK: saga.PK, SK: { S: 'APPEND#2026-01-01T00:00:00.000Z#votes#m1#00' } };
    const values = { ':partition': saga.PK, ':prefix': { S: 'APPEND#2026-01-01T00:00:00.000Z#votes#' } };
    const query = { TableName: 'T', ExpressionAttributeValues: values };
    expect(steps({ operation: 'Query', input: query, output: { Items: [value, value] } })).toMatchObject([
      { names: ['collect'], calls: 1, items: 2 },
    ]);
    expect(steps({ operation: 'PutItem', input: put('T', value).Put, output: {} })).toMatchObject([
      { names: ['commit'], items: 1 },
    ]);
  });

  it('are one for a batch that reads for several: the engine reports one sum', () => {
    const input = { RequestItems: { T: { Keys: [saga, record] } } };
    expect(steps({ operation: 'BatchGetItem', input, output: {} }, { rcu: 2 })).toMatchObject([
      { names: ['dedup check', 'load'], calls: 1, items: 2, rcu: 2 },
    ]);
  });

  it('count what was left unprocessed only when it is done', () => {
    const read = { RequestItems: { T: { Keys: [saga, record] } } };
    const left = { UnprocessedKeys: { T: { Keys: [saga] } } };
    expect(steps({ operation: 'BatchGetItem', input: read, output: left })).toMatchObject([
      { names: ['dedup check'], items: 1 },
    ]);
    const writes = [{ PutRequest: { Item: record } }, { DeleteRequest: { Key: chunk } }];
    const write = (UnprocessedItems: object) =>
      steps({
        operation: 'BatchWriteItem',
        input: { RequestItems: { T: writes } },
        output: { UnprocessedItems },
      });
    expect(write({})).toMatchObject([{ names: ['mark', 'clear'], items: 2 }]);
    expect(write({ T: writes.slice(1) })).toMatchObject([{ names: ['mark'], items: 1 }]);
  });

  it("set the handler's own tables apart, with the units that the engine reports of them", () => {
    const input = { TransactItems: [put('T', saga), put('T', record), put('U', mine)] };
    const ConsumedCapacity = [
      { TableName: 'T', CapacityUnits: 4 },
      { TableName: 'U', CapacityUnits: 6 },
    ];
    const operation = 'TransactWriteItems';
    expect(steps({ operation, input, output: { ConsumedCapacity } }, { wcu: 10 })).toEqual([
      { names: ['commit'], operation, calls: 1, items: 2, rcu: 0, wcu: 4, refusedWcu: 0 },
      { names: ['other'], operation, calls: 0, items: 1, rcu: 0, wcu: 6, refusedWcu: 0 },
    ]);
  });

  it.each([
    ['T', 1],
    ['other', 0],
  ])("cannot be told apart where the handler's own item is in the same table: %s", (table, count) => {
    const TransactItems = [put('T', record), put(table, mine)];
    const call = { operation: 'TransactWriteItems', input: { TransactItems }, output: {} };
    expect(mixedSteps([call, call])).toHaveLength(count);
  });
});
