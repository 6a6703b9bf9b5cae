import { CreateQueueCommand, type QueueAttributeName, type SQSClient } from '@aws-sdk/client-sqs';
import type { LocalResource } from '../app/resources/model.ts';

/** The queue attributes that the template and the API name alike, and that the emulator keeps. */
const attributeNames: readonly QueueAttributeName[] = [
  'VisibilityTimeout',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'ReceiveMessageWaitTimeSeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
  'RedrivePolicy',
  'RedriveAllowPolicy',
];

/** Creates the declared queues. */
export async function provisionQueues(client: SQSClient, resources: readonly LocalResource[]): Promise<void> {
  for (const { name, properties } of resources.filter(({ type }) => type === 'AWS::SQS::Queue')) {
    const attributes = attributeNames.flatMap((attribute) => {
      const value = properties[attribute];
      return value === undefined ? [] : [[attribute, textOf(value)] as const];
    });
    await client.send(
      new CreateQueueCommand({ QueueName: name, Attributes: Object.fromEntries(attributes) }),
    );
  }
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
