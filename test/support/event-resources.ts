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
  return use(snsClient(), async (client) => {
    const { TopicArn: topicArn = '' } = await client.send(
      new CreateTopicCommand({ Name: `test-${randomUUID()}${suffix}`, Attributes: attributes }),
    );
    return topicArn;
  });
}

/** Subscribes a queue to a topic, for example with `{ RawMessageDelivery: 'true' }`. */
export async function subscribeQueue(
  topicArn: string,
  queueUrl: string,
  attributes: Record<string, string> = {},
): Promise<void> {
  await use(snsClient(), (client) =>
    client.send(
      new SubscribeCommand({
        TopicArn: topicArn,
        Protocol: 'sqs',
        Endpoint: queueArnOf(queueUrl),
        Attributes: attributes,
      }),
    ),
  );
}

/** A new bucket; returns its name. */
export async function createBucket(): Promise<string> {
  const bucketName = `test-${randomUUID()}`;
  await use(s3Client(), (client) => client.send(new CreateBucketCommand({ Bucket: bucketName })));
  return bucketName;
}

/** A new event bus; returns its ARN. */
export async function createEventBus(): Promise<string> {
  return use(eventBridgeClient(), async (client) => {
    const name = `test-${randomUUID()}`;
    const { EventBusArn: arn = '' } = await client.send(new CreateEventBusCommand({ Name: name }));
    return arn;
  });
}

/** A rule of a bus (its name or ARN) that sends the events of the pattern to a queue. */
export async function createRule(
  eventBus: string,
  pattern: object,
  queueUrl: string,
  sqsParameters?: SqsParameters,
): Promise<void> {
  const rule = { Name: `test-${randomUUID()}`, EventBusName: eventBus };
  await use(eventBridgeClient(), async (client) => {
    await client.send(new PutRuleCommand({ ...rule, EventPattern: JSON.stringify(pattern) }));
    await client.send(
      new PutTargetsCommand({
        Rule: rule.Name,
        EventBusName: eventBus,
        Targets: [{ Id: 'queue', Arn: queueArnOf(queueUrl), SqsParameters: sqsParameters }],
      }),
    );
  });
}

/** A new schedule group; returns its name. */
export async function createScheduleGroup(): Promise<string> {
  const name = `test-${randomUUID()}`;
  await use(schedulerClient(), (client) => client.send(new CreateScheduleGroupCommand({ Name: name })));
  return name;
}

async function use<Client extends { destroy: () => void }, Result>(
  client: Client,
  action: (client: Client) => Promise<Result>,
): Promise<Result> {
  try {
    return await action(client);
  } finally {
    client.destroy();
  }
}
