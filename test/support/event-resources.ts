import { randomUUID } from 'node:crypto';
import {
  CreateEventBusCommand,
  PutRuleCommand,
  PutTargetsCommand,
  type SqsParameters,
} from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { CreateScheduleGroupCommand } from '@aws-sdk/client-scheduler';
import { CreateTopicCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import { eventBridgeClient, s3Client, schedulerClient, snsClient } from './engines.ts';

/** The role of schedules that tests create: any will do. */
export const scheduleRoleArn = 'arn:aws:iam::000000000000:role/test-schedules';

/** The ARN of a queue, by its URL. */
export function queueArnOf(queueUrl: string): string {
  return `arn:aws:sqs:us-east-1:000000000000:${queueUrl.split('/').at(-1)}`;
}

/** A new topic; returns its ARN. Its name ends in `.fifo` when the attribute `FifoTopic` is 'true'. */
export async function createTopic(attributes: Record<string, string> = {}): Promise<string> {
  const suffix = attributes.FifoTopic === 'true' ? '.fifo' : '';
  const command = new CreateTopicCommand({ Name: `test-${randomUUID()}${suffix}`, Attributes: attributes });
  return (await snsClient().send(command)).TopicArn ?? '';
}

/** Subscribes a queue to a topic, for example with `{ RawMessageDelivery: 'true' }`. */
export async function subscribeQueue(
  TopicArn: string,
  queueUrl: string,
  Attributes: Record<string, string> = {},
): Promise<void> {
  const subscription = { TopicArn, Protocol: 'sqs', Endpoint: queueArnOf(queueUrl), Attributes };
  await snsClient().send(new SubscribeCommand(subscription));
}

/** A new bucket; returns its name. */
export async function createBucket(): Promise<string> {
  const Bucket = `test-${randomUUID()}`;
  await s3Client().send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

/** A new event bus; returns its ARN. */
export async function createEventBus(): Promise<string> {
  const command = new CreateEventBusCommand({ Name: `test-${randomUUID()}` });
  return (await eventBridgeClient().send(command)).EventBusArn ?? '';
}

/** A rule of a bus (its name or ARN) that sends the events of the pattern to a queue. */
export async function createRule(
  EventBusName: string,
  pattern: object,
  queueUrl: string,
  SqsParameters?: SqsParameters,
): Promise<void> {
  const client = eventBridgeClient();
  const Rule = `test-${randomUUID()}`;
  await client.send(new PutRuleCommand({ Name: Rule, EventBusName, EventPattern: JSON.stringify(pattern) }));
  const Targets = [{ Id: 'queue', Arn: queueArnOf(queueUrl), SqsParameters }];
  await client.send(new PutTargetsCommand({ Rule, EventBusName, Targets }));
}

/** A new schedule group; returns its name. */
export async function createScheduleGroup(): Promise<string> {
  const Name = `test-${randomUUID()}`;
  await schedulerClient().send(new CreateScheduleGroupCommand({ Name }));
  return Name;
}
