import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, orderSaga, outboxWrite, storedRecord } from '../../support/commits.ts';
import { dynamoDBPorts, type StorePorts } from '../../support/dynamodb-ports.ts';
import { dynamoDBClient } from '../../support/engines.ts';
import { codeOf } from '../../support/error-of.ts';
import { connectionLost } from '../../support/faults.ts';
import { operationsOfSize, outgoingMessage } from '../../support/outgoing-messages.ts';
import { sagaCompletion, sagaCreation, sagaUpdate } from '../../support/saga-writes.ts';
import { storeForEachTest } from '../../support/test-store.ts';

const store = storeForEachTest();
const { faults, commit } = store;
const otherClient = dynamoDBClient();

let others: StorePorts;
beforeEach(() => {
  others = dynamoDBPorts({ client: otherClient, sagaTable: store.tableName });
});

const load = () => store.ports.sagas.load(orderSaga);

/** DynamoDB does the write, its answer gets lost, and the SDK sends it again by itself. */
describe('a write whose answer got lost', () => {
  it('succeeds when it created the saga', async () => {
    faults.loseAnswer('PutItem');
    await commit(sagaCreation({ a: 1 }));
    expect(faults.operations).toEqual(['PutItem', 'PutItem']);
    expect((await load())?.revision.version).toBe(1);
  });

  it('succeeds when it updated the saga, and updated it once', async () => {
    await commit(sagaCreation({ count: 0 }));
    faults.reset();
    faults.loseAnswer('PutItem');
    await commit(sagaUpdate({ count: 1 }, 1));
    expect(faults.operations).toEqual(['PutItem', 'PutItem']);
    const stored = await load();
    expect(stored?.revision.version).toBe(2);
    expect(stored?.readState()).toEqual({ count: 1 });
  });

  it('is a conflict when somebody else wrote between its two sendings', async () => {
    await commit(sagaCreation({}));
    faults.plan('PutItem', async () => {
      await others.committer.commit(sagaUpdate({ by: 'others' }, 1));
      throw connectionLost();
    });
    expect(await codeOf(commit(sagaUpdate({ by: 'us' }, 1)))).toBe('SagaConcurrency');
    expect((await load())?.readState()).toEqual({ by: 'others' });
  });

  it('succeeds when it was a transaction, which is done once', async () => {
    await commit(sagaCreation({}));
    faults.reset();
    faults.loseAnswer('TransactWriteItems');
    const counter = {
      Update: {
        TableName: store.tableName,
        Key: { PK: { S: 'USER#1' }, SK: { S: 'USER' } },
        UpdateExpression: 'ADD writes :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    };
    await commit({
      ...sagaUpdate({ a: 1 }, 1),
      outbox: outboxWrite('in-1', [outgoingMessage()]),
      transactionItems: [counter],
    });
    expect(faults.operations).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect((await load())?.revision.version).toBe(2);
    const { operations } = (await store.ports.outbox.find('in-1')) ?? {};
    expect(operations).toHaveLength(1);
  });

  it('succeeds when it was a single write of the user, which is done once', async () => {
    faults.loseAnswer('TransactWriteItems');
    const once = {
      Put: {
        TableName: store.tableName,
        Item: { PK: { S: 'USER#1' }, SK: { S: 'USER' } },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    };
    await commit({ transactionItems: [once] });
    expect(faults.operations).toEqual(['TransactWriteItems', 'TransactWriteItems']);
  });

  it('is a duplicate when it stored nothing but a record, which the next attempt then finds', async () => {
    faults.loseAnswer('PutItem');
    expect(await codeOf(commit(storedRecord('in-1', [outgoingMessage()])))).toBe('DuplicateMessage');
    const found = await store.ports.outbox.find('in-1');
    expect(found).toMatchObject({ dispatched: false, operations: [{ id: 'out-1' }] });
  });

  it('succeeds when it completed the saga, whose item is then gone', async () => {
    await commit(sagaCreation({}));
    faults.reset();
    faults.loseAnswer('TransactWriteItems');
    await commit(sagaCompletion(1));
    expect(faults.operations).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect(await load()).toBeUndefined();
  });

  it('succeeds when it marked the record and deleted its chunks', async () => {
    const record = outboxWrite('in-1', operationsOfSize(350 * 1024 + 1));
    await commit({ outbox: record });
    faults.loseAnswer('BatchWriteItem');
    faults.loseAnswer('BatchWriteItem');
    await store.ports.outbox.markDispatched(record, at);
    expect(faults.pending).toBe(0);
    expect((await store.ports.outbox.find('in-1'))?.dispatched).toBe(true);
  });
});
