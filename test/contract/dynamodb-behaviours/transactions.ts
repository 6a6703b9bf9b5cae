import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { meetsConflicts } from './meets-conflicts.ts';
import {
  checkOf,
  deleteOf,
  outcomeOf,
  put,
  putOf,
  read,
  reasonsOf,
  refusalOf,
  sized,
  transact,
} from './observations.ts';

const failed = 'ConditionalCheckFailed';
const isNew = { ConditionExpression: 'attribute_not_exists(PK)' } as const;
const exists = { ConditionExpression: 'attribute_exists(PK)' } as const;
const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

const KILOBYTE = 1024;
const transactionBytes = 4 * KILOBYTE * KILOBYTE;

/** Puts of 16 items, so many bytes together. */
async function outcomeOfBytes(bench: Bench, bytes: number): Promise<string> {
  const sizes = Array.from({ length: 16 }, (_, index) => Math.floor((bytes + index) / 16));
  return await outcomeOf(
    transact(
      bench,
      sizes.map((size) => putOf(bench, sized(bench.newKey(), size))),
    ),
  );
}

async function outcomeOfCount(bench: Bench, count: number): Promise<string> {
  const puts = Array.from({ length: count }, () => putOf(bench, bench.newKey()));
  return await outcomeOf(transact(bench, puts));
}

/** Names and codes that many transactions of the same items at once are refused with. */
async function refusalsAtOnce(call: () => Promise<unknown>): Promise<Set<string>> {
  const refusals = await Promise.all(
    Array.from({ length: 40 }, () =>
      refusalOf<Error & { CancellationReasons?: { Code?: string }[] }>(call()),
    ),
  );
  return new Set(
    refusals.flatMap((refusal) => [
      refusal?.name ?? 'accepted',
      ...(refusal?.CancellationReasons ?? []).map(({ Code = '' }) => Code),
    ]),
  );
}

export const transactions: readonly Behaviour[] = [
  {
    states: 'a transaction writes all of its items, also of several tables, or none',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const [first, second, existing] = [bench.newKey(), bench.newKey(), bench.newKey()];
      await put(bench, existing);
      const other = { ...bench, tableName: bench.otherTableName };
      const both = [putOf(bench, first), putOf(other, second)];
      const refused = await outcomeOf(transact(bench, [...both, putOf(bench, existing, isNew)]));
      const before = [await read(bench, first), await read(other, second)];
      const accepted = await outcomeOf(transact(bench, both));
      const after = [await read(bench, first), await read(other, second)];
      return [refused, ...before, accepted, ...after.map((item) => item !== undefined)];
    },
    onDynamoDB: ['TransactionCanceledException', undefined, undefined, 'accepted', true, true],
  },
  {
    states: 'a cancelled transaction tells a reason for each of its items, in their order',
    source: 'CancellationReason',
    observe: async (bench) => {
      const existing = bench.newKey();
      const other = bench.newKey();
      await Promise.all([put(bench, existing), put(bench, other)]);
      return await reasonsOf(bench, [
        putOf(bench, existing, isNew),
        putOf(bench, bench.newKey(), isNew),
        checkOf(bench, bench.newKey(), 'attribute_exists'),
        deleteOf(bench, other),
      ]);
    },
    onDynamoDB: [failed, 'None', failed, 'None'],
  },
  {
    states:
      'the reasons hold the items of a put, an update, a delete and a condition check that asked for them with ALL_OLD',
    source: 'CancellationReason',
    observe: async (bench) => {
      const keys = Array.from({ length: 5 }, () => bench.newKey());
      await Promise.all(keys.map((key) => put(bench, { ...key, commitId: { S: 'other' } })));
      const common = { TableName: bench.tableName, ...isNew };
      const [Put, Update, Delete, Check, unasked] = keys as [Item, Item, Item, Item, Item];
      const reasons = await reasonsOf(bench, [
        { Put: { ...common, Item: Put, ...returned } },
        {
          Update: {
            ...common,
            Key: Update,
            UpdateExpression: 'REMOVE commitId',
            ...returned,
          },
        },
        { Delete: { ...common, Key: Delete, ...returned } },
        { ConditionCheck: { ...common, Key: Check, ...returned } },
        { Put: { ...common, Item: unasked } },
      ]);
      return Array.isArray(reasons)
        ? reasons.map((reason) => (typeof reason === 'object' ? reason.item.commitId?.S : reason))
        : reasons;
    },
    onDynamoDB: ['other', 'other', 'other', 'other', failed],
  },
  {
    states: 'a condition check refuses a transaction and writes nothing itself',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const [checked, written] = [bench.newKey(), bench.newKey()];
      const absent = await outcomeOf(
        transact(bench, [checkOf(bench, checked, 'attribute_not_exists'), putOf(bench, written)]),
      );
      return [absent, await read(bench, checked), (await read(bench, written)) !== undefined];
    },
    onDynamoDB: ['accepted', undefined, true],
  },
  {
    states: 'two writes of one item in a transaction are refused as a whole',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const key = bench.newKey();
      const twice = [putOf(bench, key), putOf(bench, { ...key, a: { S: 'a' } })];
      return [await outcomeOf(transact(bench, twice)), await read(bench, key)];
    },
    onDynamoDB: ['ValidationException', undefined],
  },
  {
    states: 'a write and a condition check of one item in a transaction are refused as a whole',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const key = bench.newKey();
      const both = [putOf(bench, key), checkOf(bench, key, 'attribute_not_exists')];
      return [await reasonsOf(bench, both), await read(bench, key)];
    },
    onDynamoDB: ['ValidationException', undefined],
    difference: 'checks-of-written-items',
    instead: { 'DynamoDB Local': [['None', failed], undefined] },
  },
  {
    states: 'a transaction takes 100 items, not 101',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) => [await outcomeOfCount(bench, 100), await outcomeOfCount(bench, 101)],
    onDynamoDB: ['accepted', 'ValidationException'],
  },
  {
    states: 'a transaction takes items of 4 MB together, not more',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) => [
      await outcomeOfBytes(bench, transactionBytes),
      await outcomeOfBytes(bench, transactionBytes + 16 * KILOBYTE),
    ],
    onDynamoDB: ['accepted', 'ValidationException'],
  },
  {
    states:
      'an update whose expression does not fit the item is the reason ValidationError, not a failed condition',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const key = bench.newKey();
      await put(bench, { ...key, version: { S: 'text' } });
      const Update = {
        TableName: bench.tableName,
        Key: key,
        UpdateExpression: 'SET version = version + :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      };
      return await reasonsOf(bench, [putOf(bench, bench.newKey()), { Update }]);
    },
    onDynamoDB: ['None', 'ValidationError'],
    difference: 'unfit-updates-in-transactions',
    instead: { 'DynamoDB Local': 'ValidationException' },
  },
  {
    states: 'a delete under a condition that holds removes the item together with the other writes',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const [gone, written] = [bench.newKey(), bench.newKey()];
      await put(bench, gone);
      await transact(bench, [deleteOf(bench, gone, exists), putOf(bench, written)]);
      return [await read(bench, gone), (await read(bench, written)) !== undefined];
    },
    onDynamoDB: [undefined, true],
  },
  {
    states: 'a transaction that meets another one on an item is cancelled for TransactionConflict',
    source: 'Amazon DynamoDB Transactions: How it works',
    observe: async (bench) => {
      const [first, second] = [bench.newKey(), bench.newKey()];
      const refusals = await refusalsAtOnce(() =>
        transact(bench, [putOf(bench, first), putOf(bench, second)]),
      );
      return refusals.has('TransactionConflict');
    },
    ...meetsConflicts,
    simulatedIn: {
      file: 'test/outbox/commit/commit-errors.dynamodb.test.ts',
      mentions: "'TransactionConflict'",
    },
  },
  {
    states:
      'a single write that meets a transaction on its item is refused with TransactionConflictException',
    source: 'Amazon DynamoDB Transactions: How it works',
    observe: async (bench) => {
      const [first, second] = [bench.newKey(), bench.newKey()];
      let calls = 0;
      const refusals = await refusalsAtOnce(() => {
        calls += 1;
        return calls % 2 === 0
          ? transact(bench, [putOf(bench, first), putOf(bench, second)])
          : bench.client.send(new UpdateItemCommand({ TableName: bench.tableName, Key: first }));
      });
      return refusals.has('TransactionConflictException');
    },
    ...meetsConflicts,
    simulatedIn: {
      file: 'test/saga/saga-locks.dynamodb.test.ts',
      mentions: "'TransactionConflictException'",
    },
  },
];
