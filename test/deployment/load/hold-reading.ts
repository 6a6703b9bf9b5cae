import type { AwsCalls } from '../engine/aws-calls.ts';

interface EventSourceMapping {
  readonly UUID: string;
  readonly EventSourceArn: string;
}

/** Lets no function read a queue, until what this returns is called. */
export async function holdReading(calls: AwsCalls, queueUrl: string): Promise<() => Promise<void>> {
  const { EventSourceMappings } = await calls.call<{ EventSourceMappings: EventSourceMapping[] }>(
    'lambda',
    'list_event_source_mappings',
  );
  const queueName = queueUrl.split('/').at(-1);
  const mapping = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn.endsWith(`:${queueName}`));
  if (mapping === undefined) throw new Error(`No function reads the queue ${queueName}`);
  const { UUID } = mapping;
  await calls.call('lambda', 'update_event_source_mapping', { UUID, Enabled: false });
  return async () => {
    await calls.call('lambda', 'update_event_source_mapping', { UUID, Enabled: true });
  };
}
