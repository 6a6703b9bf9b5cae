import { BatchGetItemCommand, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import type { Behaviour, Bench, UnshownBehaviour } from './behaviour.ts';
import { put, refusalOf, sized } from './observations.ts';

/** More than the table, of one unit a second, has saved up in five minutes. */
const bytesAtOnce = 400 * 1024;

const inSlowTable = (bench: Bench): Bench => ({ ...bench, tableName: bench.slowTableName });

export const throttling: readonly Behaviour[] = [
  {
    states: 'a write beyond the capacity of the table is refused with ProvisionedThroughputExceededException',
    source: 'Error handling with DynamoDB',
    observe: async (bench) => {
      const item = sized(bench.newKey(), bytesAtOnce);
      const writes = Array.from({ length: 4 }, () => refusalOf(put(inSlowTable(bench), item)));
      const refusals = await Promise.all(writes);
      return refusals.some((refusal) => refusal?.name === 'ProvisionedThroughputExceededException');
    },
    onDynamoDB: true,
    difference: 'throttling',
    instead: { dynoxide: false, 'DynamoDB Local': false },
    simulatedIn: {
      file: 'test/dynamodb/calls/service-errors.test.ts',
      mentions: "'ProvisionedThroughputExceededException'",
    },
  },
  {
    states: 'BatchWriteItem leaves unprocessed what is beyond the capacity of the table',
    source: 'BatchWriteItem',
    observe: async (bench) => {
      const items = Array.from({ length: 8 }, () => sized(bench.newKey(), bytesAtOnce / 4));
      const command = new BatchWriteItemCommand({
        RequestItems: { [bench.slowTableName]: items.map((Item) => ({ PutRequest: { Item } })) },
      });
      const { UnprocessedItems = {} } = await bench.client.send(command);
      return (UnprocessedItems[bench.slowTableName]?.length ?? 0) > 0;
    },
    onDynamoDB: true,
    difference: 'throttling',
    instead: { dynoxide: false, 'DynamoDB Local': false },
    simulatedIn: { file: 'test/dynamodb/calls/write-batcher.test.ts', mentions: 'UnprocessedItems' },
  },
  {
    states: 'BatchGetItem leaves unprocessed what is beyond the capacity of the table',
    source: 'BatchGetItem',
    observe: async (bench) => {
      const keys = Array.from({ length: 8 }, () => bench.newKey());
      await Promise.all(keys.map((key) => refusalOf(put(inSlowTable(bench), sized(key, bytesAtOnce)))));
      const command = new BatchGetItemCommand({ RequestItems: { [bench.slowTableName]: { Keys: keys } } });
      const { UnprocessedKeys = {} } = await bench.client.send(command);
      return (UnprocessedKeys[bench.slowTableName]?.Keys?.length ?? 0) > 0;
    },
    onDynamoDB: true,
    difference: 'throttling',
    instead: { dynoxide: false, 'DynamoDB Local': false },
    simulatedIn: { file: 'test/dynamodb/calls/read-batcher.test.ts', mentions: 'UnprocessedKeys' },
  },
];

export const unshownThrottling: readonly UnshownBehaviour[] = [
  {
    states:
      'a partition takes 1,000 writes and 3,000 reads a second, whatever the table may take: one saga that many messages meet is throttled',
    source: 'DynamoDB burst and adaptive capacity',
    reason: 'Local engines have no partitions; DynamoDB moves its limits while it watches the load',
    simulatedIn: {
      file: 'test/saga/saga-locks.dynamodb.test.ts',
      mentions: 'passingErrors',
    },
  },
];
