import { describe, expect, it } from '@jest/globals';
import { at, orderSaga, outboxWrite, storedRecord, userPut } from '../support/commits.ts';
import { dynamoDBPorts } from '../support/dynamodb-ports.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { allItems, deleteItem, itemsOf, putItem } from '../support/raw-items.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import { storeForEachTest } from '../support/test-store.ts';

const store = storeForEachTest();
const { client, commit } = store;

/** An item that has no version. */
const lock = { PK: { S: 'SAGA#OrderSaga#42' }, SK: { S: 'SAGA' }, lease: { M: {} } };

/**
 * Conditions are checked by two calls: the plain one, and the transaction when there is anything else to
 * write.
 */
describe.each([
  ['in a plain call', false],
  ['in a transaction', true],
])('conditions %s', (_name, inTransaction) => {
  const others = () => (inTransaction ? { transactionItems: [userPut(store.tableName, 'USER#1')] } : {});

  it('let a saga be created over an item that has no version, as a lock on it has', async () => {
    await putItem(client, store.tableName, lock);
    expect(await store.ports.sagas.load(orderSaga)).toBeUndefined();
    await commit({ ...sagaCreation({ a: 1 }), ...others() });
    expect((await store.ports.sagas.load(orderSaga))?.revision.version).toBe(1);
  });

  it('keep an update and a completion away from an item that has no version', async () => {
    await putItem(client, store.tableName, lock);
    for (const refused of [sagaUpdate({}, 1), sagaCompletion(1)]) {
      expect(await codeOf(commit({ ...refused, ...others() }))).toBe('SagaConcurrency');
    }
    const items = await itemsOf(client, store.tableName, 'SAGA#OrderSaga#42');
    expect(items.get('SAGA')).toHaveProperty('lease');
  });

  it.each([
    ['create', 1, sagaCreation({ lost: true })],
    ['update', 2, sagaUpdate({ lost: true }, 1)],
    ['complete', 2, sagaCompletion(1)],
  ])('refuse to %s from another version than the one that is stored', async (operation, stored, refused) => {
    await commit(sagaCreation({}));
    if (stored === 2) await commit(sagaUpdate({}, 1));
    const before = await allItems(client, store.tableName);
    const error = await sagaboxErrorOf(commit({ ...refused, ...others() }));
    expect(error.code).toBe('SagaConcurrency');
    expect(error.facts).toEqual({ sagaName: 'OrderSaga', sagaId: '42', operation });
    expect(await allItems(client, store.tableName)).toEqual(before);
  });

  it('refuse a second record of a message, and let it in once the first one expired', async () => {
    await commit(storedRecord('in-1'));
    expect(await codeOf(commit({ ...storedRecord('in-1'), ...others() }))).toBe('DuplicateMessage');

    await deleteItem(client, store.tableName, 'OUTBOX#orders#in-1', 'RECORD');
    await commit({ ...storedRecord('in-1', [outgoingMessage()]), ...others() });
    expect((await store.ports.outbox.find('in-1'))?.dispatched).toBe(false);
  });
});

describe('the condition of a write that a handler added', () => {
  const put = { Item: { PK: { S: 'USER#1' }, SK: { S: 'USER' } } };
  const key = { Key: { PK: { S: 'USER#1' }, SK: { S: 'USER' } } };
  const mustExist = { ConditionExpression: 'attribute_exists(PK)' };
  const guarded = {
    Put: () => ({ Put: { TableName: store.tableName, ...put, ...mustExist } }),
    Update: () => ({
      Update: {
        TableName: store.tableName,
        ...key,
        ...mustExist,
        UpdateExpression: 'SET a = :a',
        ExpressionAttributeValues: { ':a': { N: '1' } },
      },
    }),
    Delete: () => ({ Delete: { TableName: store.tableName, ...key, ...mustExist } }),
    ConditionCheck: () => ({ ConditionCheck: { TableName: store.tableName, ...key, ...mustExist } }),
  };

  it.each(Object.entries(guarded))(
    'refuses the whole commit when it does not hold: %s',
    async (_kind, item) => {
      const error = await sagaboxErrorOf(
        commit({ ...sagaCreation({}), transactionItems: [userPut(store.tableName, 'USER#0'), item()] }),
      );
      expect(error.code).toBe('TransactionConditionFailed');
      expect(error.facts).toEqual({ index: 1, tableName: store.tableName });
      expect(await allItems(client, store.tableName)).toEqual([]);
    },
  );

  it.each(Object.entries(guarded))('lets the commit through when it holds: %s', async (_kind, item) => {
    await putItem(client, store.tableName, put.Item);
    await commit({ ...sagaCreation({}), transactionItems: [item()] });
    expect((await store.ports.sagas.load(orderSaga))?.revision.version).toBe(1);
  });

  it('is the cause of the error of a single write too', async () => {
    const error = await sagaboxErrorOf(commit({ transactionItems: [guarded.Update()] }));
    expect(error.code).toBe('TransactionConditionFailed');
    expect(error.facts).toEqual({ index: 0, tableName: store.tableName });
    expect(error.cause).toHaveProperty('name', 'TransactionCanceledException');
  });

  it('gives way to a conflict of the saga, and to a duplicate', async () => {
    await commit(sagaCreation({}));
    const parts = { outbox: outboxWrite('in-1', []), transactionItems: [guarded.Put()] };
    expect(await codeOf(commit({ ...sagaCreation({}), ...parts }))).toBe('SagaConcurrency');
    await commit(storedRecord('in-1'));
    expect(await codeOf(commit(parts))).toBe('DuplicateMessage');
  });
});

describe('marking', () => {
  const record = outboxWrite('in-1', [outgoingMessage()]);

  it('has no condition: a record that is gone comes back whole, as dispatched', async () => {
    await store.ports.outbox.markDispatched(record, at);
    const brought = await allItems(client, store.tableName);
    await commit({ outbox: outboxWrite('in-2', []) });
    const dispatched = (await allItems(client, store.tableName)).find(({ PK }) => PK?.S?.endsWith('in-2'));
    expect(brought).toEqual([{ ...dispatched, PK: { S: 'OUTBOX#orders#in-1' }, operationCount: { N: '1' } }]);
  });

  it('passes on every other failure', async () => {
    const elsewhere = dynamoDBPorts({ client, sagaTable: 'no-such-table' });
    expect(await codeOf(elsewhere.outbox.markDispatched(record, at))).toBe('TableNotFound');
  });
});
