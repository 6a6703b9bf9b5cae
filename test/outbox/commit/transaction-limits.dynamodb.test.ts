import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { outboxWrite, outboxWriteAsCommitted, userPut } from '../../support/commits.ts';
import { createTable } from '../../support/engines.ts';
import { codeOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { operationsOfSize } from '../../support/outgoing-messages.ts';
import { allItems, type Item } from '../../support/raw-items.ts';
import { sagaCreation } from '../../support/saga-writes.ts';
import { storeForEachTest } from '../../support/test-store.ts';

const store = storeForEachTest();
const { client, faults, commit } = store;

const itemBytes = 400 * 1024;

/** An item of exactly so many bytes: names and values in ASCII. */
function itemOfSize(bytes: number, key = 'USER'): Item {
  const keys = { PK: { S: key }, SK: { S: 'USER' } };
  const used = 'PK'.length + key.length + 'SK'.length + 'USER'.length + 'text'.length;
  return { ...keys, text: { S: 'x'.repeat(bytes - used) } };
}

const putOf = (item: Item): TransactWriteItem => ({ Put: { TableName: store.tableName, Item: item } });

describe('an item', () => {
  it('of 400 KB is written', async () => {
    await commit({ transactionItems: [putOf(itemOfSize(itemBytes))] });
    expect(faults.operations).toEqual(['TransactWriteItems']);
  });

  it('of one byte more is refused before any call, and named', async () => {
    const transactionItems = [userPut(store.tableName, 'USER#0'), putOf(itemOfSize(itemBytes + 1))];
    const error = await sagaboxErrorOf(commit({ transactionItems }));
    expect(error.code).toBe('ItemTooLarge');
    expect(error.facts).toMatchObject({ bytes: itemBytes + 1, maximum: itemBytes });
    expect(error.message).toContain('Write 1, added with transaction.add,');
    expect(faults.operations).toEqual([]);
  });

  it('of a saga is refused before any call too, on the way of a single write', async () => {
    const error = await sagaboxErrorOf(commit(sagaCreation({ text: 'x'.repeat(itemBytes) })));
    expect(error.code).toBe('ItemTooLarge');
    expect(error.message).toContain("The 'OrderSaga' saga with id '42' takes");
    expect(faults.operations).toEqual([]);
  });

  it('is refused when the values of its update alone are too large', async () => {
    const update = (bytes: number): TransactWriteItem => ({
      Update: {
        TableName: store.tableName,
        Key: { PK: { S: 'USER' }, SK: { S: 'USER' } },
        UpdateExpression: 'SET a = :a',
        ExpressionAttributeValues: { ':a': { S: 'x'.repeat(bytes) } },
      },
    });
    expect(await codeOf(commit({ transactionItems: [update(itemBytes)] }))).toBe('ItemTooLarge');
    expect(faults.operations).toEqual([]);
    await commit({ transactionItems: [update(itemBytes - 100)] });
  });
});

describe('a transaction', () => {
  const transactionBytes = 4 * 1024 * 1024;
  /** Ten items of 400 KB, and one of the rest. */
  const itemsOfSize = (bytes: number) =>
    Array.from({ length: 11 }, (_, index) =>
      putOf(itemOfSize(index < 10 ? itemBytes : bytes - 10 * itemBytes, `USER#${index}`)),
    );

  it('of 4 MB is written', async () => {
    await commit({ transactionItems: itemsOfSize(transactionBytes) });
    expect(await allItems(client, store.tableName)).toHaveLength(11);
  });

  it('of one byte more is refused before any call', async () => {
    const error = await sagaboxErrorOf(commit({ transactionItems: itemsOfSize(transactionBytes + 1) }));
    expect(error.code).toBe('TransactionLimit');
    expect(error.facts).toMatchObject({
      limit: 'bytes',
      actual: transactionBytes + 1,
      maximum: transactionBytes,
    });
    expect(faults.operations).toEqual([]);
  });

  it('counts the chunks of an outbox record', async () => {
    const outbox = outboxWrite('in-1', operationsOfSize(transactionBytes));
    expect(await codeOf(commit({ outbox }))).toBe('TransactionLimit');
    expect(faults.operations).toEqual([]);
  });

  it('counts the chunks of an outbox record as they are when compressed', async () => {
    await commit({ outbox: outboxWriteAsCommitted('in-1', operationsOfSize(2 * transactionBytes)) });
  });

  const key = { PK: { S: 'USER#1' }, SK: { S: 'USER' } };
  const condition = { ConditionExpression: 'attribute_not_exists(PK)' };
  const check = (): TransactWriteItem => ({
    ConditionCheck: { TableName: store.tableName, Key: key, ...condition },
  });
  const remove = (): TransactWriteItem => ({ Delete: { TableName: store.tableName, Key: key } });
  const put = () => userPut(store.tableName, 'USER#1');

  it.each<[string, () => TransactWriteItem, () => TransactWriteItem]>([
    ['a put and a delete', put, remove],
    ['a delete and a put', remove, put],
    ['a condition check and a put', check, put],
    ['two deletes', remove, remove],
  ])('takes no two writes of one item, and says so before any call: %s', async (_name, first, second) => {
    const error = await sagaboxErrorOf(
      commit({ ...sagaCreation({}), transactionItems: [first(), second()] }),
    );
    expect(error.code).toBe('RequestRejected');
    expect(error.message).toContain('Write 1, added with transaction.add, is the second write of one item');
    expect(faults.operations).toEqual([]);
  });

  it('takes no two puts of one item, which DynamoDB finds where the keys of the table are not known', async () => {
    expect(await codeOf(commit({ ...sagaCreation({}), transactionItems: [put(), put()] }))).toBe(
      'RequestRejected',
    );
    expect(await allItems(client, store.tableName)).toEqual([]);
  });

  it('takes no write of the saga item beside its own', async () => {
    const sagaItemKey = { PK: { S: 'SAGA#OrderSaga#42' }, SK: { S: 'SAGA' } };
    for (const item of [
      { Delete: { TableName: store.tableName, Key: sagaItemKey } },
      { Put: { TableName: store.tableName, Item: sagaItemKey } },
    ]) {
      expect(await codeOf(commit({ ...sagaCreation({}), transactionItems: [item] }))).toBe('RequestRejected');
    }
    expect(await allItems(client, store.tableName)).toEqual([]);
  });

  it('takes writes of several items with one key in different tables, and of one table with different keys', async () => {
    const otherTable = await createTable();
    await commit({
      transactionItems: [
        remove(),
        { Delete: { TableName: otherTable, Key: key } },
        userPut(store.tableName, 'USER#2'),
        { Delete: { TableName: store.tableName, Key: { ...key, SK: { S: 'OTHER' } } } },
      ],
    });
    expect(await allItems(client, store.tableName)).toHaveLength(1);
  });
});
