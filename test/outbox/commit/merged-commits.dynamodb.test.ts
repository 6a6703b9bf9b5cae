import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { isSagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { DynamoDBCommitter } from '../../../lib/outbox/commit/committer.dynamodb.ts';
import type { CommitTerms } from '../../../lib/outbox/commit/committer.ts';
import { newTransactionMerger } from '../../../lib/outbox/commit/transaction.dynamodb.ts';
import type { Commit } from '../../../lib/outbox/commit.ts';
import { defaultMapper } from '../../../lib/saga/item/mapper.dynamodb.ts';
import { commitOf, outboxWrite, userPut } from '../../support/commits.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { ClientFaults, connectionLost, disableSdkRetries, dynamoDBError } from '../../support/faults.ts';
import { operationsOfSize, outgoingMessage } from '../../support/outgoing-messages.ts';
import { allItems } from '../../support/raw-items.ts';
import { discardOf, sagaCreation } from '../../support/saga-writes.ts';

const client = dynamoDBClient();
disableSdkRetries(client);
const faults = new ClientFaults(client);

let tableName: string;
let merger: ReturnType<typeof newTransactionMerger>;
let committer: DynamoDBCommitter;
let merges: string[];

beforeEach(async () => {
  tableName = await createTable();
  merger = newTransactionMerger(client);
  committer = committerOf('orders');
  merges = [];
  faults.reset();
});

function committerOf(endpoint: string, table = tableName): DynamoDBCommitter {
  const sagaTable = { ...tableDefaults, tableName: table };
  const outbox = { table: sagaTable, endpoint, deduplicationPeriodSeconds: 60 };
  return new DynamoDBCommitter({ client, sagaTable, outbox, mapper: defaultMapper, endpoint, merger });
}

/** A saga that is created, with the record of its message. */
const order = (id: string | number, messageId = `in-${id}`, state: unknown = {}): Commit => ({
  ...sagaCreation(state, { name: 'Order', id: String(id) }),
  outbox: outboxWrite(messageId, [outgoingMessage({ id: `out-${id}` })]),
});
const orders = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => order(first + index));

const isRetry: Partial<CommitTerms> = { isFirstAttempt: false };

async function commit(
  one: Commit,
  terms: Partial<CommitTerms> = {},
  by = committer,
  meter = new CapacityMeter(),
) {
  await by.commit(one, meter, {
    isFirstAttempt: true,
    assertOngoing: () => {},
    onMerge: (outcome) => merges.push(outcome),
    ...terms,
  });
}

/** @returns how each ended: a code, or 'committed' */
async function outcomesOf(commits: readonly Promise<void>[]): Promise<string[]> {
  const settled = await Promise.allSettled(commits);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'committed';
    return isSagaboxError(one.reason) ? one.reason.code : String(one.reason);
  });
}
const committed = (count: number) => Array(count).fill('committed');

/** How many items each transaction had, in order. */
const transactions = () => faults.requests.map(({ input }) => input.TransactItems?.length ?? 1);
const tokens = () => faults.requests.map(({ input }) => input.ClientRequestToken);
const storedIds = async () => (await allItems(client, tableName)).map(({ PK }) => PK?.S).toSorted();

describe('commits of one turn', () => {
  it('share a transaction, and each stores all that it is', async () => {
    expect(await outcomesOf(orders(10).map((one) => commit(one)))).toEqual(committed(10));
    expect(transactions()).toEqual([20]);
    expect(merges).toEqual(Array(10).fill('merged'));
    const ids = Array.from({ length: 10 }, (_, index) => index);
    expect(await storedIds()).toEqual([
      ...ids.map((id) => `OUTBOX#orders#in-${id}`),
      ...ids.map((id) => `SAGA#Order#${id}`),
    ]);
    expect(
      new Set((await allItems(client, tableName)).flatMap(({ commitId }) => commitId?.S ?? [])).size,
    ).toBe(10);
  });

  it('tell each of all that share the transaction', async () => {
    const told: (readonly CommitTerms[])[] = [];
    const onMerge: CommitTerms['onMerge'] = (_, together = []) => void told.push(together);
    const terms = orders(3).map(() => ({ isFirstAttempt: true, assertOngoing: () => {}, onMerge }));
    await Promise.all(orders(3).map((one, index) => commit(one, terms[index])));
    expect(told).toHaveLength(3);
    for (const together of told) expect(together).toEqual(terms);
  });

  it('do so in several endpoints and tables, and with discards', async () => {
    const [table, billing] = [await createTable(), 'billing'];
    const other = committerOf(billing, table);
    const discard = discardOf('in-2', undefined, { name: 'Order', id: '2' });
    const commits = [commit(order(1)), commit(order(1), {}, other), commit(discard)];
    expect(await outcomesOf(commits)).toEqual(committed(3));
    expect(transactions()).toEqual([6]);
    expect(await allItems(client, table)).toHaveLength(2);
  });

  it('wait for no commit of a later turn', async () => {
    await commit(order(1));
    await commit(order(2));
    expect(transactions()).toEqual([2, 2]);
    expect(merges).toEqual([]);
  });

  it('pay together what is reported, each twice the units of its items', async () => {
    const states = ['', 'x'.repeat(1500), 'x'.repeat(3500)];
    const meters = states.map(() => new CapacityMeter());
    await Promise.all(
      states.map((text, index) =>
        commit(order(index, `in-${index}`, { text }), {}, committer, meters[index]),
      ),
    );
    expect(transactions()).toEqual([6]);
    const [reported] = faults.requests.flatMap(({ output }) => output.ConsumedCapacity);
    expect(meters.map(({ total }) => total.writeUnits)).toEqual([4, 6, 10]);
    expect(reported.CapacityUnits).toBe(20);
  });
});

describe('a commit goes alone', () => {
  it.each<[string, () => Promise<void>]>([
    ['that retries a message', () => commit(order('alone'), isRetry)],
    [
      'with a write of the user',
      () => commit({ ...order('alone'), transactionItems: [userPut(tableName, 'USER#1')] }),
    ],
    ['whose flow tells nothing of it', () => committer.commit(order('alone'), new CapacityMeter())],
  ])('%s', async (_what, alone) => {
    expect(await outcomesOf([...orders(2).map((one) => commit(one)), alone()])).toEqual(committed(3));
    expect(transactions().toSorted()).toEqual(expect.arrayContaining([4]));
    expect(transactions()).toHaveLength(2);
    expect(merges).toHaveLength(2);
  });

  it('of one item, at half the price', async () => {
    const record = commitOf({ outbox: outboxWrite('in-alone', []) });
    expect(await outcomesOf([...orders(2).map((one) => commit(one)), commit(record)])).toEqual(committed(3));
    expect(faults.operations.toSorted()).toEqual(['PutItem', 'TransactWriteItems']);
  });

  it('whose message was returned meanwhile: it is not sent', async () => {
    const assertOngoing = () => {
      throw new Error('returned');
    };
    const outcomes = await outcomesOf([
      ...orders(2).map((one) => commit(one)),
      commit(order('late'), { assertOngoing }),
    ]);
    expect(outcomes).toEqual(['committed', 'committed', 'Error: returned']);
    expect(transactions()).toEqual([4]);
  });
});

describe('a transaction', () => {
  it('has two copies of one message, or two messages of one saga, in no one', async () => {
    const commits = [commit(order(1)), commit(order(2, 'in-1')), commit(order(1, 'in-3')), commit(order(4))];
    await outcomesOf(commits);
    expect(transactions().slice(0, 2).toSorted()).toEqual([4, 4]);
  });

  it.each([
    [10, [20]],
    [21, [20, 20, 2]],
  ])('has at most 20 items: %i commits take %j', async (count, sizes) => {
    expect(await outcomesOf(orders(count).map((one) => commit(one)))).toEqual(committed(count));
    expect(transactions()).toEqual(sizes);
  });

  it('has at most 4 MB', async () => {
    const large = (id: number) => ({
      ...order(id, `in-${id}`, { text: 'x'.repeat(300 * 1024) }),
      outbox: outboxWrite(`in-${id}`, operationsOfSize(300 * 1024)),
    });
    const commits = Array.from({ length: 7 }, (_, id) => commit(large(id)));
    expect(await outcomesOf(commits)).toEqual(committed(7));
    expect(transactions()).toEqual([12, 2]);
  });
});

describe('after a transaction that is refused', () => {
  it.each<[string, string, () => Promise<void>]>([
    ['of one whose message has a record', 'DuplicateMessage', () => commit(order('other', 'in-4'), isRetry)],
    ['of one whose saga is there already', 'SagaConcurrency', () => commit(order(4, 'other'), isRetry)],
  ])('because %s, the others commit alone at once', async (_what, code, prepare) => {
    await prepare();
    faults.reset();
    const meters = orders(10).map(() => new CapacityMeter());
    const outcomes = await outcomesOf(
      orders(10).map((one, index) => commit(one, {}, committer, meters[index])),
    );
    expect(outcomes).toEqual(committed(10).with(4, code));
    expect(transactions()).toEqual([20, ...Array(10).fill(2)]);
    // A token of a refused transaction with other writes would be refused again.
    expect(new Set(tokens()).size).toBe(11);
    expect(meters.map(({ total }) => total.writeUnits)).toEqual(Array(10).fill(4).with(4, 0));
    expect(merges).toEqual(['refused']);
  });

  it.each([
    [
      'a conflict of one item',
      'TransactionCanceledException',
      [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    ],
    [
      'a conflict beside throttling',
      'TransactionCanceledException',
      [{ Code: 'TransactionConflict' }, { Code: 'ThrottlingError' }],
    ],
    ['something in it that DynamoDB does not take', 'ValidationException', undefined],
    ['a table that is not there', 'ResourceNotFoundException', undefined],
    ['a table that the function may not write', 'AccessDeniedException', undefined],
  ])('by %s, each commits alone', async (_what, name, reasons) => {
    faults.fail('TransactWriteItems', dynamoDBError(name, { CancellationReasons: reasons }));
    expect(await outcomesOf(orders(3).map((one) => commit(one)))).toEqual(committed(3));
    expect(transactions()).toEqual([6, 2, 2, 2]);
  });

  it('merging pauses for four times as many commits, and is resumed', async () => {
    faults.fail('TransactWriteItems', dynamoDBError('ValidationException'));
    await outcomesOf(orders(3).map((one) => commit(one)));
    faults.reset();
    await outcomesOf(orders(14, 3).map((one) => commit(one)));
    expect(transactions().toSorted((a, b) => a - b)).toEqual([...Array(12).fill(2), 4]);
  });

  it('a refused commit is told what it is told by itself', async () => {
    await commit(order('other', 'in-0'), isRetry);
    const [first] = await Promise.allSettled(orders(2).map((one) => commit(one)));
    expect(first?.status === 'rejected' && first.reason).toMatchObject({
      code: 'DuplicateMessage',
      facts: { endpoint: 'orders', messageId: 'in-0' },
    });
  });
});

describe('a transaction without a refusal of its own', () => {
  it.each([
    ['is throttled', dynamoDBError('ThrottlingException'), 'Throttled'],
    [
      'is cancelled by throttling alone',
      dynamoDBError('TransactionCanceledException', {
        CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
      }),
      'Throttled',
    ],
    ['is still in progress', dynamoDBError('TransactionInProgressException'), 'Throttled'],
    ['has credentials that have expired', dynamoDBError('ExpiredTokenException'), 'TableAccessRefused'],
    ['gets no answer', connectionLost(), 'TableCallFailed'],
    ['fails in a way that nobody knows', new Error('unknown'), 'Error: unknown'],
  ])('that %s fails each commit, and sends none again', async (_what, error, code) => {
    faults.fail('TransactWriteItems', error);
    expect(await outcomesOf(orders(3).map((one) => commit(one)))).toEqual(Array(3).fill(code));
    expect(transactions()).toEqual([6]);
    expect(merges).toEqual([]);

    await outcomesOf(orders(2, 3).map((one) => commit(one)));
    expect(transactions()).toEqual([6, 4]);
  });

  it('whose answer got lost leaves to each retry what was committed', async () => {
    faults.loseAnswer('TransactWriteItems');
    expect(await outcomesOf(orders(3).map((one) => commit(one)))).toEqual(Array(3).fill('TableCallFailed'));
    expect(transactions()).toEqual([6]);
    expect(await storedIds()).toHaveLength(6);
    const retries = orders(3).map((one) => commit(one, isRetry));
    expect(await outcomesOf(retries)).toEqual(Array(3).fill('DuplicateMessage'));
  });
});
