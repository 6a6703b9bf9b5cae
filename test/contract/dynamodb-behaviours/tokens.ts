import { randomUUID } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { meetsConflicts } from './meets-conflicts.ts';
import { outcomeOf, read, refusalOf, transact } from './observations.ts';

/** Adds to a number of the item: it tells how often the transaction was done. */
function countOf({ tableName: TableName }: Bench, Key: Item, by = 1): TransactWriteItem {
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: 'ADD times :by',
      ExpressionAttributeValues: { ':by': { N: String(by) } },
    },
  };
}

const timesOf = async (bench: Bench, key: Item) => (await read(bench, key))?.times?.N;

export const tokens: readonly Behaviour[] = [
  {
    states: 'the same transaction with the same token is done once, and accepted each time',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const [key, token] = [bench.newKey(), randomUUID()];
      const send = () => outcomeOf(transact(bench, [countOf(bench, key)], token));
      return [await send(), await send(), await timesOf(bench, key)];
    },
    onDynamoDB: ['accepted', 'accepted', '1'],
  },
  {
    states: 'the same transaction with another token is done again',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const key = bench.newKey();
      await transact(bench, [countOf(bench, key)], randomUUID());
      await transact(bench, [countOf(bench, key)], randomUUID());
      return await timesOf(bench, key);
    },
    onDynamoDB: '2',
  },
  {
    states: 'another transaction with the same token is refused with IdempotentParameterMismatchException',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const [key, token] = [bench.newKey(), randomUUID()];
      await transact(bench, [countOf(bench, key)], token);
      const other = await outcomeOf(transact(bench, [countOf(bench, key, 2)], token));
      return [other, await timesOf(bench, key)];
    },
    onDynamoDB: ['IdempotentParameterMismatchException', '1'],
  },
  {
    states: 'a token may have 36 characters, not 37',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const withToken = (token: string) =>
        outcomeOf(transact(bench, [countOf(bench, bench.newKey())], token));
      return [await withToken('t'.repeat(36)), await withToken('t'.repeat(37))];
    },
    onDynamoDB: ['accepted', 'ValidationException'],
  },
  {
    states:
      'a transaction that is sent again while it still runs is refused with TransactionInProgressException',
    source: 'TransactWriteItems',
    observe: async (bench) => {
      const [key, token] = [bench.newKey(), randomUUID()];
      const refusals = await Promise.all(
        Array.from({ length: 40 }, () => refusalOf(transact(bench, [countOf(bench, key)], token))),
      );
      return refusals.some((refusal) => refusal?.name === 'TransactionInProgressException');
    },
    ...meetsConflicts,
    simulatedIn: {
      file: 'test/dynamodb/calls/service-errors.test.ts',
      mentions: "'TransactionInProgressException'",
    },
  },
];
