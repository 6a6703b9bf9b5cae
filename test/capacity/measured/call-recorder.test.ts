import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { CallRecorder } from '../../../lib/capacity/measured/call-recorder.ts';
import { computeUnits } from '../../../lib/capacity/measured/computed-units.ts';
import type { RecordedCall as Call } from '../../../lib/capacity/measured/recorded-call.ts';
import { SeenItems } from '../../../lib/capacity/measured/seen-items.ts';

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
  const sizes = new SeenItems();
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

  it('for an update that returns the new item: by the larger one of before and after', () => {
    const update = (Attributes: object, ReturnValues: string): Call => ({
      operation: 'UpdateItem',
      input: { TableName, Key: keyOf('a'), ReturnValues },
      output: { Attributes },
    });
    expect(unitsOf(transaction(put(3_000)), update(itemOf(100), 'ALL_NEW'))).toBe(3);
    expect(unitsOf(update(itemOf(3_000), 'ALL_NEW'), transaction(put(100)))).toBe(6);
    expect(unitsOf(update({}, 'NONE'))).toBeUndefined();
  });

  it('with one unit more for what enters or leaves the sparse index, outside of the transaction', () => {
    const indexed = { ...itemOf(1_000), recoveryShard: { S: 's' } };
    const commit = transaction({ Put: { TableName, Item: indexed } });
    const mark: Call = { operation: 'PutItem', input: put(500).Put, output: {} };
    expect(unitsOf(commit)).toBe(3);
    expect(unitsOf(commit, commit)).toBe(2);
    expect(unitsOf(commit, mark)).toBe(2);
    expect(unitsOf(commit, mark, mark)).toBe(1);
  });

  it('are known under other key names too, once a request has told them', () => {
    const key = { id: { S: 'a' } };
    const get: Call = { operation: 'GetItem', input: { TableName, Key: key }, output: {} };
    const putOf = (bytes: number): Call => ({
      operation: 'PutItem',
      input: { TableName, Item: { ...key, F: { S: 'f'.repeat(bytes - 4) } } },
      output: {},
    });
    expect(unitsOf(get, putOf(3_000), putOf(100))).toBe(3);
  });
});

describe('the recorder', () => {
  const meter = (call: Call) => {
    const recorder = new CallRecorder();
    return recorder.during(async () => recorder.add(call)).then(([metered]) => ({ ...metered, recorder }));
  };
  const ConsumedCapacity = { TableName, CapacityUnits: 7 };

  it('computes transactions, batches of reads and queries, whatever is reported', async () => {
    expect(
      await meter({ ...transaction(put(100)), output: { ConsumedCapacity: [ConsumedCapacity] } }),
    ).toMatchObject({
      units: { rcu: 0, wcu: 2 },
      source: 'computed',
      recorder: { doubts: [] },
    });
    const query = {
      operation: 'Query',
      input: { ConsistentRead: true },
      output: { Items: [], ConsumedCapacity },
    };
    expect(await meter(query)).toMatchObject({ units: { rcu: 1, wcu: 0 }, source: 'computed' });
  });

  it('takes the least for a transaction with items that it never saw, and says so', async () => {
    const call = transaction({ Update: { TableName, Key: keyOf('a') } }, put(2_000, 'b'));
    expect(await meter({ ...call, output: {} })).toMatchObject({
      units: { rcu: 0, wcu: 6 },
      source: 'computed',
      recorder: { doubts: [expect.stringContaining('were not seen')] },
    });
  });

  it('takes what AWS reports of transactions, and doubts it when the rules do not give it', async () => {
    const answered = (CapacityUnits: number): Call => ({
      ...transaction(put(2_000)),
      output: { ConsumedCapacity: [{ TableName, CapacityUnits }] },
      isOfAws: true,
    });
    expect(await meter(answered(4))).toMatchObject({
      units: { wcu: 4 },
      source: 'reported',
      recorder: { doubts: [] },
    });
    expect(await meter(answered(6))).toMatchObject({
      units: { wcu: 6 },
      source: 'reported',
      recorder: { doubts: [expect.stringContaining('the rules give')] },
    });
  });

  it('does not charge an index for the delete of an item that is not there, as DynamoDB Local does', async () => {
    const remove = (CapacityUnits: number): Call => ({
      operation: 'BatchWriteItem',
      input: { RequestItems: { [TableName]: [{ DeleteRequest: { Key: keyOf('a') } }] } },
      output: { ConsumedCapacity: [{ TableName, CapacityUnits }] },
    });
    expect(await meter(remove(2))).toMatchObject({
      units: { wcu: 1 },
      source: 'computed',
      recorder: { doubts: [] },
    });
    expect(await meter(remove(1))).toMatchObject({
      units: { wcu: 1 },
      source: 'reported',
      recorder: { doubts: [] },
    });
    expect(await meter(remove(3))).toMatchObject({
      units: { wcu: 3 },
      recorder: { doubts: [expect.any(String)] },
    });
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
      recorder: { doubts: [] },
    });
    const get = { operation: 'GetItem', input: { ConsistentRead: true }, output: { ConsumedCapacity } };
    expect(await meter(get)).toMatchObject({
      units: { rcu: 7, wcu: 0 },
      recorder: { doubts: [expect.stringContaining('GetItem reports')] },
    });
  });

  it('takes calls to SQS as free, and doubts calls to DynamoDB that do not tell', async () => {
    const send = await meter({ operation: 'SendMessageBatch', input: {}, output: {} });
    expect(send).toMatchObject({ units: { rcu: 0, wcu: 0 }, source: 'none', recorder: { doubts: [] } });
    const silent = await meter({ operation: 'PutItem', input: put(100).Put, output: {} });
    expect(silent.recorder.doubts).toEqual(['PutItem did not ask for its consumed capacity']);
  });

  it('counts a request that fails, and doubts the units of one that is refused', async () => {
    const shape = { message: 'no', $metadata: {} };
    const failed = await meter({ operation: 'GetItem', input: {}, error: new Error('socket hang up') });
    expect(failed).toMatchObject({ operation: 'GetItem', source: 'none', recorder: { doubts: [] } });
    for (const error of [
      new TransactionCanceledException(shape),
      new ConditionalCheckFailedException(shape),
    ]) {
      const refused = await meter({ operation: 'TransactWriteItems', input: {}, error });
      expect(refused.recorder.doubts).toEqual([expect.stringContaining('was refused')]);
    }
  });
});
