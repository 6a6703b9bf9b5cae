import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import type { Call } from '../../bench/contention/call-counter.ts';
import { CallMeter } from '../../bench/cost/call-meter.ts';
import { computeUnits } from '../../bench/cost/computed-units.ts';
import { ItemSizes } from '../../bench/cost/item-sizes.ts';

const TableName = 'T';
const keyOf = (id: string) => ({ PK: { S: id }, SK: { S: 'x' } });
/** Its names and its key take 6 bytes with an id of one letter, the name of the filler one. */
const itemOf = (bytes: number, id = 'a') => ({ ...keyOf(id), F: { S: 'f'.repeat(bytes - 7) } });
const put = (bytes: number, id?: string) => ({ Put: { TableName, Item: itemOf(bytes, id) } });
const transaction = (...TransactItems: object[]): Call => ({
  operation: 'TransactWriteItems',
  input: { TransactItems },
  output: {},
});

/** The read or write units of the last of these calls. */
function unitsOf(...calls: Call[]): number | undefined {
  const sizes = new ItemSizes();
  const last = calls.map((call) => computeUnits(call, sizes)).at(-1);
  return last && last.rcu + last.wcu;
}

describe('the units that the rules give', () => {
  it.each([
    [4_096, 1],
    [4_097, 2],
  ])('for a consistent read of %i bytes: %i', (bytes, units) => {
    const Item = itemOf(bytes);
    const get = (ConsistentRead: boolean): Call => ({
      operation: 'GetItem',
      input: { TableName, ConsistentRead },
      output: { Item },
    });
    expect(unitsOf(get(true))).toBe(units);
    expect(unitsOf(get(false))).toBe(units / 2);
  });

  it('for a read that finds nothing: those of the smallest item', () => {
    const input = { ConsistentRead: true };
    expect(unitsOf({ operation: 'GetItem', input, output: {} })).toBe(1);
    expect(unitsOf({ operation: 'Query', input, output: { Items: [] } })).toBe(1);
  });

  it('for a query: by the sum of its items, and for a batch of reads: by each', () => {
    const items = [itemOf(3_000), itemOf(1_000, 'b')];
    expect(unitsOf({ operation: 'Query', input: { ConsistentRead: true }, output: { Items: items } })).toBe(
      1,
    );
    const Keys = ['a', 'b', 'c', 'd'].map(keyOf);
    const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
    const output = {
      Responses: { [TableName]: items },
      UnprocessedKeys: { [TableName]: { Keys: [keyOf('d')] } },
    };
    expect(unitsOf({ operation: 'BatchGetItem', input: { RequestItems }, output })).toBe(3);
  });

  it.each([
    [1_024, 1_024, 4],
    [1_024, 1_025, 6],
    [1_025, 1_025, 8],
  ])('for a transaction of %i and %i bytes: %i', (one, other, units) => {
    expect(unitsOf(transaction(put(one, 'a'), put(other, 'b')))).toBe(units);
  });

  it('by the larger one of the item before and after, also of a delete', () => {
    const batch = (request: object): Call => ({
      operation: 'BatchWriteItem',
      input: { RequestItems: { [TableName]: [request] } },
      output: {},
    });
    const shrink = { PutRequest: { Item: itemOf(100) } };
    const remove = { DeleteRequest: { Key: keyOf('a') } };
    expect(unitsOf(transaction(put(3_000)), transaction(put(100)))).toBe(6);
    expect(unitsOf(transaction(put(3_000)), batch(shrink))).toBe(3);
    expect(unitsOf(transaction(put(3_000)), batch(shrink), batch(shrink))).toBe(1);
    expect(unitsOf(transaction(put(3_000)), batch(remove))).toBe(3);
    expect(unitsOf(transaction(put(3_000)), batch(remove), batch(remove))).toBe(1);
    const transactedDelete = { Delete: { TableName, Key: keyOf('a') } };
    expect(unitsOf(transaction(put(3_000)), transaction(transactedDelete))).toBe(6);
    const single = { operation: 'DeleteItem', input: { TableName, Key: keyOf('a') }, output: {} };
    expect(unitsOf({ operation: 'PutItem', input: put(2_000).Put, output: {} }, single)).toBe(2);
  });

  it('are refused for a transaction whose items are not known', () => {
    expect(() => unitsOf(transaction({ Update: { TableName, Key: keyOf('a') } }))).toThrow(
      'cannot be computed',
    );
  });
});

describe('the meter', () => {
  const meter = (call: Call) => {
    const callMeter = new CallMeter();
    return callMeter.during(async () => callMeter.add(call)).then(([metered]) => ({ ...metered, callMeter }));
  };
  const ConsumedCapacity = { TableName, CapacityUnits: 7 };

  it('computes transactions, batches of reads and queries, whatever is reported', async () => {
    expect(
      await meter({ ...transaction(put(100)), output: { ConsumedCapacity: [ConsumedCapacity] } }),
    ).toMatchObject({
      units: { rcu: 0, wcu: 2 },
      source: 'computed',
      callMeter: { doubts: [] },
    });
    const query = {
      operation: 'Query',
      input: { ConsistentRead: true },
      output: { Items: [], ConsumedCapacity },
    };
    expect(await meter(query)).toMatchObject({ units: { rcu: 1, wcu: 0 }, source: 'computed' });
  });

  it('takes what is reported of other calls, and doubts what the rules do not give', async () => {
    const update = {
      operation: 'UpdateItem',
      input: { TableName, Key: keyOf('a') },
      output: { ConsumedCapacity },
    };
    expect(await meter(update)).toMatchObject({
      units: { rcu: 0, wcu: 7 },
      source: 'reported',
      callMeter: { doubts: [] },
    });
    const get = { operation: 'GetItem', input: { ConsistentRead: true }, output: { ConsumedCapacity } };
    expect(await meter(get)).toMatchObject({
      units: { rcu: 7, wcu: 0 },
      callMeter: { doubts: [expect.stringContaining('GetItem reports')] },
    });
  });

  it('takes calls to SQS as free, and doubts calls to DynamoDB that do not tell', async () => {
    const send = await meter({ operation: 'SendMessageBatch', input: {}, output: {} });
    expect(send).toMatchObject({ units: { rcu: 0, wcu: 0 }, source: 'none', callMeter: { doubts: [] } });
    const silent = await meter({ operation: 'PutItem', input: put(100).Put, output: {} });
    expect(silent.callMeter.doubts).toEqual(['PutItem did not ask for its consumed capacity']);
  });

  it('counts a request that fails, and doubts the units of one that is refused', async () => {
    const shape = { message: 'no', $metadata: {} };
    const failed = await meter({ operation: 'GetItem', input: {}, error: new Error('socket hang up') });
    expect(failed).toMatchObject({ operation: 'GetItem', source: 'none', callMeter: { doubts: [] } });
    for (const error of [
      new TransactionCanceledException(shape),
      new ConditionalCheckFailedException(shape),
    ]) {
      const refused = await meter({ operation: 'TransactWriteItems', input: {}, error });
      expect(refused.callMeter.doubts).toEqual([expect.stringContaining('was refused')]);
    }
  });
});
