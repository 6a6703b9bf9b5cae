import { createHash } from 'node:crypto';
import { type DynamoDBClient, paginateQuery, type TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** What the handlers need of a store of polls: they know neither its items nor its keys. */
export interface PollStore {
  /** A write for the transaction of the message that brings the vote. */
  addVote(pollId: string, messageId: string): TransactWriteItem;
  /** All votes that were committed before the call. */
  countVotes(pollId: string): Promise<number>;
}

const shards = 16;

/** Counts the votes of a poll in several items: no vote reads anything, and few of them meet. */
export class ShardedPollStore implements PollStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  addVote(pollId: string, messageId: string): TransactWriteItem {
    // Two transactions that meet one item conflict on DynamoDB, also without a condition.
    const shard = createHash('sha256').update(messageId).digest().readUInt32BE() % shards;
    return {
      Update: {
        TableName: this.#tableName,
        Key: { PK: { S: `POLL#${pollId}` }, SK: { S: `SHARD#${shard}` } },
        UpdateExpression: 'ADD votes :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    };
  }

  async countVotes(pollId: string): Promise<number> {
    const query = {
      TableName: this.#tableName,
      KeyConditionExpression: 'PK = :poll',
      ExpressionAttributeValues: { ':poll': { S: `POLL#${pollId}` } },
      ConsistentRead: true,
    };
    let sum = 0;
    for await (const { Items: items = [] } of paginateQuery({ client: this.#client }, query)) {
      for (const { votes } of items) sum += Number(votes?.N ?? 0);
    }
    return sum;
  }
}
