import { beforeAll, describe, expect, it } from '@jest/globals';
import { isServiceWideError, translateServiceError } from '../../../lib/dynamodb/calls/service-errors.ts';
import { at, commitOf, orderSaga, outboxWrite, storedRecord, userPut } from '../../support/commits.ts';
import { dynamoDBPorts, type StorePorts } from '../../support/dynamodb-ports.ts';
import { codeOf, errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { disableSdkRetries, dynamoDBError, passingErrors } from '../../support/faults.ts';
import { operationsOfSize, outgoingMessage } from '../../support/outgoing-messages.ts';
import { allItems } from '../../support/raw-items.ts';
import { sagaCreation } from '../../support/saga-writes.ts';
import { storeForAllTests } from '../../support/test-store.ts';

const store = storeForAllTests();
const { client, faults, commit } = store;
disableSdkRetries(client);

beforeAll(() => commit({ outbox: outboxWrite('chunked', operationsOfSize(350 * 1024 + 1)) }));

const transaction = () =>
  commitOf({
    ...sagaCreation({}),
    transactionItems: [userPut(store.tableName, 'USER#1'), userPut(store.tableName, 'USER#2')],
  });

/** A use of the ports for each operation that they call. */
const uses: [operation: string, run: (to: StorePorts) => Promise<unknown>][] = [
  ['BatchGetItem', (to) => to.sagas.load(orderSaga)],
  ['BatchGetItem', (to) => to.outbox.find('in-1')],
  ['Query', (to) => to.outbox.find('chunked')],
  ['PutItem', (to) => to.committer.commit(storedRecord('in-1'))],
  ['TransactWriteItems', (to) => to.committer.commit(transaction())],
  ['BatchWriteItem', (to) => to.outbox.markDispatched(outboxWrite('in-1', []), at)],
];

const answered = (httpStatusCode: number) =>
  Object.assign(new Error('Bad Gateway'), { $metadata: { httpStatusCode } });

const failures: [what: string, failure: Error, code: string][] = [
  ['is throttled', dynamoDBError('ProvisionedThroughputExceededException'), 'Throttled'],
  ['meets a running transaction', dynamoDBError('TransactionConflictException'), 'TransactionConflict'],
  ['finds no table', dynamoDBError('ResourceNotFoundException'), 'TableNotFound'],
  ['may not be made', dynamoDBError('AccessDeniedException'), 'TableAccessRefused'],
  ['is made by nobody known', dynamoDBError('UnrecognizedClientException'), 'TableAccessRefused'],
  ['has no credentials', dynamoDBError('CredentialsProviderError'), 'TableAccessRefused'],
  ['times out', dynamoDBError('TimeoutError'), 'TableCallFailed'],
  ['finds no host', Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), 'TableCallFailed'],
  ['is answered by a gateway', answered(502), 'TableCallFailed'],
];

describe.each(uses)('a %s', (operation, run) => {
  function factsOf(code: string, { name }: Error): unknown {
    const tableNames = [store.tableName];
    if (code === 'Throttled') return { operation, reason: name };
    if (code === 'TransactionConflict') return { item: expect.stringContaining(store.tableName) };
    if (code === 'TableNotFound') return { tableNames };
    return { operation, tableNames, detail: expect.stringContaining(name) };
  }

  it.each(failures)('that %s tells so, and which call and table it was', async (_what, failure, code) => {
    faults.fail(operation, failure);
    const error = await sagaboxErrorOf(run(store.ports));
    expect(error).toMatchObject({ code, cause: failure });
    expect(error.facts).toEqual(factsOf(code, failure));
  });

  it('that fails by anything else throws just that', async () => {
    const failure = answered(499);
    faults.fail(operation, failure);
    expect(await errorOf(run(store.ports))).toBe(failure);
  });
});

describe('a call that DynamoDB answers with', () => {
  it.each([...passingErrors, 'TransactionInProgressException'])(
    '%s is Throttled, and can be tried again',
    async (name) => {
      faults.fail('TransactWriteItems', dynamoDBError(name));
      const error = await sagaboxErrorOf(store.ports.committer.commit(transaction()));
      expect(error.code).toBe('Throttled');
      expect(error.facts).toEqual({ operation: 'TransactWriteItems', reason: name });
    },
  );

  it.each<string>(['ValidationException', 'SerializationException', 'IdempotentParameterMismatchException'])(
    '%s is RequestRejected, with what DynamoDB says',
    async (name) => {
      faults.fail('TransactWriteItems', dynamoDBError(name));
      const error = await sagaboxErrorOf(store.ports.committer.commit(transaction()));
      expect(error.code).toBe('RequestRejected');
      expect(error.message).toContain(`${name} of the test`);
    },
  );
});

describe('tables that do not exist', () => {
  const missing = 'no-such-table';
  const onlySagas = () => dynamoDBPorts({ client, sagaTable: store.tableName, outboxTable: missing });

  it.each<[string, () => Promise<unknown>]>([
    ['the dedup check', () => onlySagas().outbox.find('in-1')],
    ['a saga load', () => dynamoDBPorts({ client, sagaTable: missing }).sagas.load(orderSaga)],
    ['a plain write', () => onlySagas().committer.commit(storedRecord('in-1'))],
    ['a mark', () => onlySagas().outbox.markDispatched(outboxWrite('in-1', []), at)],
  ])('are named: by %s', async (_name, run) => {
    const error = await sagaboxErrorOf(run());
    expect(error.code).toBe('TableNotFound');
    expect(error.facts).toEqual({ tableNames: [missing] });
    expect(error.message).toContain(missing);
  });

  it('are among those that a transaction names, and nothing is written to the others', async () => {
    const before = await allItems(client, store.tableName);
    const outbox = outboxWrite('in-1', [outgoingMessage()]);
    const commit = commitOf({ ...sagaCreation({}), outbox });
    const error = await sagaboxErrorOf(onlySagas().committer.commit(commit));
    expect(error.code).toBe('TableNotFound');
    expect(error.facts).toEqual({ tableNames: [store.tableName, missing] });
    expect(await allItems(client, store.tableName)).toEqual(before);
  });
});

describe('a write that DynamoDB refuses for what it says', () => {
  it('is RequestRejected where it lacks a sort key', async () => {
    const item = { Put: { TableName: store.tableName, Item: { PK: { S: 'no sort key' } } } };
    expect(await codeOf(commit({ transactionItems: [item] }))).toBe('RequestRejected');
  });

  it('is RequestRejected where it has a number in place of a string, which the engines take', () => {
    const error = translateServiceError(dynamoDBError('SerializationException'), 'TransactWriteItems', []);
    expect(error).toMatchObject({ code: 'RequestRejected' });
  });
});

describe('a call that fails for several messages', () => {
  const failing = (error: unknown) => isServiceWideError(translateServiceError(error, 'PutItem', ['sagas']));

  it.each(['ThrottlingException', 'TimeoutError'])('by %s would fail for each alike', (name) => {
    expect(failing(dynamoDBError(name))).toBe(true);
  });

  it.each(['AccessDeniedException', 'ValidationException', 'ResourceNotFoundException'])(
    'by %s may fail for one of them only',
    (name) => {
      expect(failing(dynamoDBError(name))).toBe(false);
    },
  );

  it('names all of its tables', () => {
    const conflict = translateServiceError(dynamoDBError('TransactionConflictException'), 'the call', [
      'sagas',
      'outbox',
    ]);
    expect(conflict).toHaveProperty('facts', { item: 'an item of sagas, outbox' });
  });

  it('by the first status of a server gave no answer', () => {
    const error = Object.assign(new Error('oops'), { $metadata: { httpStatusCode: 500 } });
    expect(translateServiceError(error, 'PutItem', ['sagas'])).toHaveProperty('code', 'TableCallFailed');
  });
});

describe('what a call throws that tells nothing of itself', () => {
  it.each([[revokedProxy()], [new Proxy(new Error('m'), { getPrototypeOf: throwing })], [undefined]])(
    'stays what it is: case %#',
    (thrown) => {
      expect(translateServiceError(thrown, 'PutItem', [store.tableName]) === thrown).toBe(true);
      expect(isServiceWideError(thrown)).toBe(false);
    },
  );

  function revokedProxy(): unknown {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }

  function throwing(): never {
    throw new Error('of the trap');
  }
});
