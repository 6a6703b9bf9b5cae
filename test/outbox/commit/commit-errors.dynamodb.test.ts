import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '../../../lib/kernel/errors/errors.ts';
import { commitOf, outboxWrite, userPut } from '../../support/commits.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { dynamoDBError } from '../../support/faults.ts';
import { operationsOfSize } from '../../support/outgoing-messages.ts';
import { sagaUpdate } from '../../support/saga-writes.ts';
import { storeForAllTests } from '../../support/test-store.ts';

const store = storeForAllTests();
const { faults } = store;

/** In the order of the writes of the commit below. */
const roles = ['saga', 'outbox', 'chunk 1', 'chunk 2', 'user 0', 'user 1'] as const;
type Reasons = Partial<Record<(typeof roles)[number], string>>;

const descriptions = {
  saga: "The 'OrderSaga' saga with id '42'",
  outbox: "The outbox record of message 'in-1'",
  'chunk 1': 'A chunk of the outbox record',
  'chunk 2': 'A chunk of the outbox record',
  'user 0': 'Write 0, added with transaction.add,',
  'user 1': 'Write 1, added with transaction.add,',
} as const;

function cancelled(reasons: readonly CancellationReason[] | undefined): Error {
  return dynamoDBError('TransactionCanceledException', { CancellationReasons: reasons });
}

function commitAll(): Promise<void> {
  const commit = commitOf({
    ...sagaUpdate({}, 1),
    outbox: outboxWrite('in-1', operationsOfSize(350 * 1024 + 1)),
    transactionItems: [userPut(store.tableName, 'USER#0'), userPut(store.tableName, 'USER#1')],
  });
  return store.ports.committer.commit(commit);
}

/** What a commit throws whose writes were refused for these reasons. */
function errorFor(reasons: Reasons) {
  const list = roles.map((role) => ({ Code: reasons[role] ?? 'None', Message: `about ${role}` }));
  faults.fail('TransactWriteItems', cancelled(list));
  return sagaboxErrorOf(commitAll());
}

const meanings: [reason: string, code: ErrorCode, retryable: boolean][] = [
  ['TransactionConflict', 'TransactionConflict', true],
  ['ThrottlingError', 'Throttled', true],
  ['ProvisionedThroughputExceeded', 'Throttled', true],
  ['ItemCollectionSizeLimitExceeded', 'RequestRejected', false],
  ['ValidationError', 'RequestRejected', false],
  ['SomethingNew', 'RequestRejected', false],
];

describe.each(meanings)('a transaction cancelled for %s', (reason, code, retryable) => {
  it.each(roles)(`is ${code}, and names the write: %s`, async (role) => {
    const error = await errorFor({ [role]: reason });
    expect(error.code).toBe(code);
    expect(error.retryable).toBe(retryable);
    expect(error.cause).toHaveProperty('name', 'TransactionCanceledException');
    const named = code === 'Throttled' ? reason : descriptions[role];
    expect(error.message).toContain(named);
  });
});

describe('a transaction cancelled for', () => {
  it('throttling says of what, and why', async () => {
    const error = await errorFor({ saga: 'ThrottlingError' });
    expect(error.facts).toEqual({ operation: 'TransactWriteItems', reason: 'ThrottlingError' });
  });

  it('the size of an item collection says its limit', async () => {
    const error = await errorFor({ 'user 0': 'ItemCollectionSizeLimitExceeded' });
    expect(error.message).toContain('10 GB');
  });

  it('anything else passes on what DynamoDB says of it', async () => {
    const error = await errorFor({ 'user 1': 'ValidationError' });
    expect(error.message).toContain('ValidationError, about user 1');
  });

  it('a failed condition of a chunk, which has none, is RequestRejected', async () => {
    const error = await errorFor({ 'chunk 1': 'ConditionalCheckFailed' });
    expect(error).toMatchObject({ code: 'RequestRejected', facts: { detail: descriptions['chunk 1'] } });
  });

  it.each<[Reasons, object]>([
    [{ saga: 'ConditionalCheckFailed' }, { sagaName: 'OrderSaga', sagaId: '42', operation: 'update' }],
    [{ outbox: 'ConditionalCheckFailed' }, { endpoint: 'orders', messageId: 'in-1' }],
    [{ 'user 1': 'ConditionalCheckFailed' }, { index: 1 }],
  ])('a failed condition tells whose it is, and why: case %#', async (reasons, facts) => {
    const error = await errorFor(reasons);
    expect(error.facts).toMatchObject(facts);
    expect(error.cause).toHaveProperty('name', 'TransactionCanceledException');
  });

  it.each<[Reasons, ErrorCode]>([
    [{ saga: 'ConditionalCheckFailed', outbox: 'ConditionalCheckFailed' }, 'DuplicateMessage'],
    [{ saga: 'TransactionConflict', outbox: 'ConditionalCheckFailed' }, 'DuplicateMessage'],
    [{ outbox: 'ConditionalCheckFailed', 'user 0': 'ConditionalCheckFailed' }, 'DuplicateMessage'],
    [{ saga: 'ValidationError', outbox: 'ConditionalCheckFailed' }, 'DuplicateMessage'],
    [{ saga: 'ConditionalCheckFailed', outbox: 'TransactionConflict' }, 'SagaConcurrency'],
    [{ saga: 'ConditionalCheckFailed', 'user 0': 'ConditionalCheckFailed' }, 'SagaConcurrency'],
    [{ outbox: 'TransactionConflict', 'user 0': 'ConditionalCheckFailed' }, 'TransactionConflict'],
  ])('several reasons is the one that counts: %j is %s', async (reasons, code) => {
    expect((await errorFor(reasons)).code).toBe(code);
  });

  it.each([
    ['no reasons', undefined],
    ['an empty list of them', []],
    ['none that is one', [{ Code: 'None' }, {}]],
    [
      'more of them than there are writes',
      [...roles.map(() => ({ Code: 'None' })), { Code: 'ValidationError' }],
    ],
  ])('%s stays what it is', async (_name, reasons) => {
    const error = cancelled(reasons);
    faults.fail('TransactWriteItems', error);
    expect(await errorOf(commitAll())).toBe(error);
  });
});
