import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { watchOutbox } from 'sagabox';
import { StreamCalls } from '../../lib/local/streams/stream-calls.ts';
import { type StreamEventRecord, streamEventRecord } from '../../lib/local/streams/stream-event.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';

const { signal } = new AbortController();

export async function streamArn(client: DynamoDBClient, tableName: string): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  if (Table?.LatestStreamArn === undefined) throw new Error(`The table ${tableName} has no stream`);
  return Table.LatestStreamArn;
}

/** Reads the changes of a table as Lambda hands them on, from those on with which its stream began. */
export class TableStream {
  readonly #calls: StreamCalls;
  readonly #arn: string;
  /** One of each shard that has not ended. */
  #iterators: readonly string[];
  /** Read, and not given to anybody. */
  #records: StreamEventRecord[] = [];

  private constructor(calls: StreamCalls, arn: string, iterators: readonly string[]) {
    this.#calls = calls;
    this.#arn = arn;
    this.#iterators = iterators;
  }

  static async open(client: DynamoDBClient, tableName: string): Promise<TableStream> {
    const arn = await streamArn(client, tableName);
    const calls = new StreamCalls(await endpointOf(client));
    const shards = await calls.shards(arn, signal);
    const iterators = shards.map(({ ShardId }) => calls.iterator(arn, ShardId, 'TRIM_HORIZON', signal));
    return new TableStream(calls, arn, await Promise.all(iterators));
  }

  /** The next changes, up to so many; none when all are read that there are by now. */
  async next(limit = Number.POSITIVE_INFINITY): Promise<StreamEventRecord[]> {
    if (this.#records.length === 0) await this.#read();
    return this.#records.splice(0, limit);
  }

  async #read(): Promise<void> {
    const left: string[] = [];
    for (const iterator of this.#iterators) {
      const page = await this.#calls.records(iterator, signal);
      if (page === undefined) throw new Error('Nobody has read the stream for too long');
      this.#records.push(...page.Records.map((record) => streamEventRecord(record, this.#arn)));
      if (page.NextShardIterator !== undefined) left.push(page.NextShardIterator);
    }
    this.#iterators = left;
  }
}

/** All changes of a table since its stream began. */
export async function streamRecords(client: DynamoDBClient, tableName: string): Promise<StreamEventRecord[]> {
  const stream = await TableStream.open(client, tableName);
  const records: StreamEventRecord[] = [];
  for (let page = await stream.next(); page.length > 0; page = await stream.next()) records.push(...page);
  return records;
}

/** Lets the watcher read the whole stream, in one batch. */
export async function watchStream(client: DynamoDBClient, tableName: string): Promise<void> {
  const watch = watchOutbox({ dynamoDBClient: client, logger: silentLogger });
  const Records = await streamRecords(client, tableName);
  if (Records.length > 0) await watch({ Records } as never);
}

async function endpointOf(client: DynamoDBClient): Promise<string> {
  const endpoint = await client.config.endpoint?.();
  if (endpoint === undefined) throw new Error('The client has no endpoint of its own');
  const { protocol, hostname, port } = endpoint;
  return `${protocol}//${hostname}:${port}`;
}
