import { describe, expect, it } from '@jest/globals';
import { at, orderSaga, outboxWrite, storedRecord, userPut } from '../support/commits.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import { storeForEachTest } from '../support/test-store.ts';

const store = storeForEachTest();
const { faults, commit } = store;

describe('the calls of a commit', () => {
  it('of one item that is put are the plain call, at half the price of a transaction', async () => {
    await commit(sagaCreation({}));
    await commit(sagaUpdate({ a: 1 }, 1));
    await commit(storedRecord('in-1'));
    await commit(storedRecord('in-2', [outgoingMessage()]));
    expect(faults.operations).toEqual(Array(4).fill('PutItem'));
  });

  it('of a saga that is deleted are a transaction: its item could not tell who deleted it', async () => {
    await commit(sagaCreation({}));
    faults.reset();
    await commit(sagaCompletion(1));
    expect(faults.operations).toEqual(['TransactWriteItems']);
  });

  it('of two writes and more are one transaction', async () => {
    const outbox = outboxWrite('in-1', [outgoingMessage()]);
    await commit({ ...sagaCreation({}), outbox });
    await commit({ ...sagaUpdate({ a: 1 }, 1), transactionItems: [userPut(store.tableName, 'USER#1')] });
    await commit({ outbox: outboxWrite('in-2', []), transactionItems: [userPut(store.tableName, 'USER#2')] });
    await commit(storedRecord('in-3', operationsOfSize(350 * 1024 + 1)));
    expect(faults.operations).toEqual(Array(4).fill('TransactWriteItems'));
    expect(faults.requests.map(({ input }) => input.TransactItems.length)).toEqual([2, 2, 2, 3]);
  });

  it('of a single write of the user are a transaction, whose token makes a second sending harmless', async () => {
    await commit({ transactionItems: [userPut(store.tableName, 'USER#1')] });
    expect(faults.operations).toEqual(['TransactWriteItems']);
    expect(faults.requests[0]?.input.ClientRequestToken).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('of nothing are none', async () => {
    await commit({});
    expect(faults.operations).toEqual([]);
  });

  it('carry another token and commit id each time', async () => {
    for (const [version, user] of ['USER#1', 'USER#2'].entries()) {
      const saga = version === 0 ? sagaCreation({}) : sagaUpdate({ version }, version);
      await commit({ ...saga, transactionItems: [userPut(store.tableName, user)] });
    }
    const ids = faults.requests.map(({ input }) => ({
      token: input.ClientRequestToken,
      commitId: input.TransactItems[0].Put.Item.commitId.S,
    }));
    expect(ids[0]?.token).toBe(ids[0]?.commitId);
    expect(ids[1]?.token).toBe(ids[1]?.commitId);
    expect(ids[0]?.token).not.toBe(ids[1]?.token);
  });
});

describe('the calls of the dedup check and the saga load', () => {
  it('are one consistent BatchGetItem each, whether there is something or not', async () => {
    await commit({ ...sagaCreation({}), outbox: outboxWrite('in-1', [outgoingMessage()]) });
    faults.reset();
    await store.ports.outbox.find('in-1');
    await store.ports.outbox.find('in-2');
    await store.ports.sagas.load(orderSaga);
    await store.ports.sagas.load({ ...orderSaga, id: 'none' });
    expect(faults.operations).toEqual(Array(4).fill('BatchGetItem'));
    expect(faults.requests.map(({ input }) => input.RequestItems[store.tableName].ConsistentRead)).toEqual(
      Array(4).fill(true),
    );
  });

  it('of one message are one call, when both are made at once', async () => {
    await Promise.all([store.ports.outbox.find('in-1'), store.ports.sagas.load(orderSaga)]);
    expect(faults.operations).toEqual(['BatchGetItem']);
    expect(faults.requests[0]?.input.RequestItems[store.tableName].Keys).toHaveLength(2);
  });

  it('of a record with chunks are a BatchGetItem and consistent queries of just its chunks', async () => {
    await commit(storedRecord('in-1', operationsOfSize(2 * 350 * 1024)));
    faults.reset();
    await store.ports.outbox.find('in-1');
    expect(faults.operations).toEqual(['BatchGetItem', 'Query']);
    expect(faults.requests[1]?.input).toMatchObject({
      ConsistentRead: true,
      ExpressionAttributeValues: { ':first': { S: 'CHUNK#0001' }, ':last': { S: 'CHUNK#0002' } },
    });
  });

  it('of a dispatched record that had chunks are the BatchGetItem only', async () => {
    const record = outboxWrite('in-1', operationsOfSize(350 * 1024 + 1));
    await commit({ outbox: record });
    await store.ports.outbox.markDispatched(record, at);
    faults.reset();
    await store.ports.outbox.find('in-1');
    expect(faults.operations).toEqual(['BatchGetItem']);
  });
});

describe('the calls of marking', () => {
  it('are one BatchWriteItem', async () => {
    const record = outboxWrite('in-1', [outgoingMessage()]);
    await commit({ outbox: record });
    faults.reset();
    await store.ports.outbox.markDispatched(record, at);
    expect(faults.operations).toEqual(['BatchWriteItem']);
  });

  it('of a record with chunks are one that keeps all as sent, one for its chunks, and the mark', async () => {
    const record = outboxWrite('in-1', operationsOfSize(4 * 350 * 1024));
    await commit({ outbox: record });
    faults.reset();
    await store.ports.outbox.markDispatched(record, at);
    expect(faults.operations).toEqual(['UpdateItem', 'BatchWriteItem', 'BatchWriteItem']);
    expect(faults.requests[1]?.input.RequestItems[store.tableName]).toHaveLength(4);
  });
});
