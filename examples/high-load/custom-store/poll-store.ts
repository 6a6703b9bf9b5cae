import { randomInt } from 'node:crypto';
import { type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import type { CustomSagaStore } from 'sagabox';

interface PollState {
  votes: number;
}

const shards = 16;

/**
 * Counts the votes of a poll in several items. A vote adds to one of them, without a condition: votes that are handled
 * at the same time are all counted, and none is handled twice.
 */
export function shardedPolls(client: DynamoDBClient, tableName: string): CustomSagaStore<PollState> {
  const partition = (id: string) => ({ S: `POLL#${id}` });
  return {
    keepsDetails: false,
    async load({ id }) {
      const query = {
        TableName: tableName,
        KeyConditionExpression: 'PK = :poll',
        ExpressionAttributeValues: { ':poll': partition(id) },
        ConsistentRead: true,
        // For what measures the example.
        ReturnConsumedCapacity: 'TOTAL' as const,
      };
      let votes: number | undefined;
      for await (const { Items: items = [] } of paginateQuery({ client }, query)) {
        for (const item of items) votes = (votes ?? 0) + Number(item.votes?.N);
      }
      return votes === undefined ? undefined : { state: { votes } };
    },
    writesOf(change) {
      if (change.kind === 'check') return [];
      if (change.kind === 'complete') throw new Error('A poll does not end: no item tells of its end');
      const added = change.state.votes - (change.read?.state.votes ?? 0);
      // Two transactions that meet one item conflict on DynamoDB, also without a condition.
      const shard = { S: `SHARD#${randomInt(shards)}` };
      const Update = {
        TableName: tableName,
        Key: { PK: partition(change.saga.id), SK: shard },
        UpdateExpression: 'ADD votes :added',
        ExpressionAttributeValues: { ':added': { N: String(added) } },
      };
      return [{ Update }];
    },
  };
}
