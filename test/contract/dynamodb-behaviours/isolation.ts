import { BatchGetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { differenceHere } from '../../support/engine-differences.ts';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench, UnshownBehaviour } from './behaviour.ts';
import { outcomeOf, read, transact } from './observations.ts';

const howItWorks = 'Amazon DynamoDB Transactions: How it works';

/** DynamoDB Local shows it within a few, or a few hundred when the machine is busy. */
const mostRounds = differenceHere('half-seen-transactions') ? 10 : 2_000;

function writeBoth(bench: Bench, keys: readonly Item[], round: number) {
  return transact(
    bench,
    keys.map((key) => ({
      Put: { TableName: bench.tableName, Item: { ...key, round: { N: String(round) } } },
    })),
  );
}

async function readBoth({ client, tableName }: Bench, Keys: Item[]): Promise<(string | undefined)[]> {
  const command = new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } });
  const { Responses = {} } = await client.send(command);
  return (Responses[tableName] ?? []).map(({ round }) => round?.N);
}

export const isolation: readonly Behaviour[] = [
  {
    states: 'writes of one item are done one after another: none of many additions at once is lost',
    source: howItWorks,
    observe: async (bench) => {
      const key = bench.newKey();
      const add = new UpdateItemCommand({
        TableName: bench.tableName,
        Key: key,
        UpdateExpression: 'ADD times :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      });
      await Promise.all(Array.from({ length: 25 }, () => bench.client.send(add)));
      return (await read(bench, key))?.times?.N;
    },
    onDynamoDB: '25',
  },
  {
    states: 'a read after a transaction was accepted sees all of its items',
    source: howItWorks,
    observe: async (bench) => {
      const keys = [bench.newKey(), bench.newKey()];
      await writeBoth(bench, keys, 1);
      await writeBoth(bench, keys, 2);
      return await readBoth(bench, keys);
    },
    onDynamoDB: ['2', '2'],
  },
  {
    states: 'a BatchGetItem beside a transaction may see one of its items new and another one old',
    source: howItWorks,
    observe: async (bench) => {
      const keys = [bench.newKey(), bench.newKey()];
      await writeBoth(bench, keys, 0);
      let isHalf = false;
      for (let round = 1; round <= mostRounds && !isHalf; round += 1) {
        const [, ...seen] = await Promise.all([
          outcomeOf(writeBoth(bench, keys, round)),
          ...Array.from({ length: 8 }, () => readBoth(bench, keys)),
        ]);
        isHalf = seen.some(([first, second]) => first !== second);
      }
      return isHalf;
    },
    onDynamoDB: true,
    difference: 'half-seen-transactions',
    instead: { dynoxide: false },
    simulatedIn: {
      file: 'test/dynamodb/half-seen-transactions.dynamodb.test.ts',
      mentions: "faults.plan('BatchGetItem'",
    },
  },
];

export const unshownConsistency: readonly UnshownBehaviour[] = [
  {
    states: 'an eventually consistent read may return an item as it was before, or miss it',
    source: 'DynamoDB read consistency',
    reason: 'Local engines have one copy of each item; on DynamoDB, too, most such reads are up to date',
    simulatedIn: {
      file: 'test/saga/saga-store.dynamodb.test.ts',
      mentions: "faults.answer('BatchGetItem'",
    },
  },
];
