import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { watchOutbox } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';

type Answer = Record<string, unknown> & {
  readonly StreamDescription?: { readonly Shards: readonly { readonly ShardId: string }[] };
  readonly ShardIterator?: string;
  readonly NextShardIterator?: string;
  readonly Records?: readonly DynamoDBRecord[];
};

export async function streamArn(client: DynamoDBClient, tableName: string): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream`);
  return Table.LatestStreamArn;
}

/** Reads the changes of a table, from those on with which its stream began. */
export class TableStream {
  readonly #client: DynamoDBClient;
  readonly #arn: string;
  /** One of each shard that has not ended. */
  #iterators: string[];

  private constructor(client: DynamoDBClient, arn: string, iterators: string[]) {
    this.#client = client;
    this.#arn = arn;
    this.#iterators = iterators;
  }

  static async open(client: DynamoDBClient, tableName: string): Promise<TableStream> {
    const StreamArn = await streamArn(client, tableName);
    const { StreamDescription } = await callStreams(client, 'DescribeStream', { StreamArn });
    const iterators: string[] = [];
    for (const { ShardId } of StreamDescription?.Shards ?? []) {
      const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
      const { ShardIterator } = await callStreams(client, 'GetShardIterator', start);
      if (ShardIterator !== undefined) iterators.push(ShardIterator);
    }
    return new TableStream(client, StreamArn, iterators);
  }

  /** The next changes of one shard, as Lambda hands them on; none when all are read that there are by now. */
  async next(limit = 1_000): Promise<DynamoDBRecord[]> {
    for (const iterator of this.#iterators) {
      const page = await callStreams(this.#client, 'GetRecords', { ShardIterator: iterator, Limit: limit });
      const { Records = [], NextShardIterator } = page;
      // The other shards come first then.
      const others = this.#iterators.filter((each) => each !== iterator);
      this.#iterators = NextShardIterator === undefined ? others : [...others, NextShardIterator];
      if (Records.length > 0) return Records.map((record) => ({ ...record, eventSourceARN: this.#arn }));
    }
    return [];
  }
}

/** All changes of a table since its stream began. */
export async function streamRecords(client: DynamoDBClient, tableName: string): Promise<DynamoDBRecord[]> {
  const stream = await TableStream.open(client, tableName);
  const records: DynamoDBRecord[] = [];
  for (let page = await stream.next(); page.length > 0; page = await stream.next()) records.push(...page);
  return records;
}

/** Lets the watcher read the whole stream, in one batch. */
export async function watchStream(client: DynamoDBClient, tableName: string): Promise<void> {
  const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger });
  const Records = await streamRecords(client, tableName);
  if (Records.length > 0) await watch({ Records });
}

/** The engines take any signature. */
async function callStreams(client: DynamoDBClient, operation: string, input: object): Promise<Answer> {
  const endpoint = await client.config.endpoint?.();
  if (endpoint === undefined) throw new Error('The client has no endpoint of its own');
  const { protocol, hostname, port } = endpoint;
  const response = await fetch(`${protocol}//${hostname}:${port}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      'x-amz-date': '20260102T030405Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260102/us-east-1/dynamodb/aws4_request, ' +
        'SignedHeaders=host;x-amz-date;x-amz-target, Signature=0',
    },
    body: JSON.stringify(input),
  });
  if (response.ok) return (await response.json()) as Answer;
  throw new Error(`${operation}: ${response.status} ${await response.text()}`);
}
