import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { LocalResource } from '../app/resources/model.ts';

/** The queue attributes that the template and the API name alike, and that the emulator keeps. */
const queueAttributes = [
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
] as const;

export async function provisionQueues(client: SQSClient, resources: readonly LocalResource[]): Promise<void> {
  for (const { name, properties } of resources.filter(({ type }) => type === 'AWS::SQS::Queue')) {
    const Attributes = Object.fromEntries(attributesOf(queueAttributes, properties));
    await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  }
}

/** Attributes that a template declares, as the APIs of SQS and SNS take them: all are strings. */
export function attributesOf(names: readonly string[], properties: object): [name: string, value: string][] {
  return Object.entries(properties)
    .filter(([name, value]) => names.includes(name) && value !== undefined)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
}
