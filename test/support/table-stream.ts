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

/** All changes of a table since its stream began, as Lambda hands them on. */
export async function streamRecords(client: DynamoDBClient, tableName: string): Promise<StreamEventRecord[]> {
  const arn = await streamArn(client, tableName);
  const calls = new StreamCalls(await endpointOf(client));
  const records: StreamEventRecord[] = [];
  for (const { ShardId } of await calls.shards(arn, signal)) {
    let iterator: string | undefined = await calls.iterator(arn, ShardId, 'TRIM_HORIZON', signal);
    while (iterator !== undefined) {
      const page = await calls.records(iterator, signal);
      const read = page?.Records ?? [];
      records.push(...read.map((record) => streamEventRecord(record, arn)));
      iterator = read.length === 0 ? undefined : page?.NextShardIterator;
    }
  }
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
