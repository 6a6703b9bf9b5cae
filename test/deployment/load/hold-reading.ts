import type { AwsCalls } from '../engine/aws-calls.ts';

interface EventSourceMapping {
  readonly UUID: string;
  readonly EventSourceArn: string;
}

/** Lets what was held be read again. */
export type ReadAgain = () => Promise<void>;

/** Lets no function read a queue, until what this returns is called. */
export async function holdQueue(calls: AwsCalls, queueUrl: string): Promise<ReadAgain> {
  const queueName = queueUrl.split('/').at(-1);
  return await holdReading(calls, (arn) => arn.endsWith(`:${queueName}`), `the queue ${queueName}`);
}

/** Lets no watcher read the changes of a table, until what this returns is called. */
export async function holdStream(calls: AwsCalls, tableName: string): Promise<ReadAgain> {
  return await holdReading(calls, (arn) => arn.includes(`:table/${tableName}/stream/`), `table ${tableName}`);
}

async function holdReading(
  calls: AwsCalls,
  isMeant: (sourceArn: string) => boolean,
  what: string,
): Promise<ReadAgain> {
  const { EventSourceMappings } = await calls.call<{ EventSourceMappings: EventSourceMapping[] }>(
    'lambda',
    'list_event_source_mappings',
  );
  const mapping = EventSourceMappings.find(({ EventSourceArn }) => isMeant(EventSourceArn));
  if (mapping === undefined) throw new Error(`No function reads ${what}`);
  const { UUID } = mapping;
  await calls.call('lambda', 'update_event_source_mapping', { UUID, Enabled: false });
  return async () => {
    await calls.call('lambda', 'update_event_source_mapping', { UUID, Enabled: true });
  };
}
