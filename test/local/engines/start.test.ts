import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { CreateScheduleCommand } from '@aws-sdk/client-scheduler';
import { PublishCommand } from '@aws-sdk/client-sns';
import { type Message, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  createQueue,
  createTable,
  dynamoDBClient,
  eventBridgeClient,
  s3Client,
  schedulerClient,
  snsClient,
  sqsClient,
} from '../../support/engines.ts';
import {
  createBucket,
  createEventBus,
  createRule,
  createScheduleGroup,
  createTopic,
  scheduleRoleArn,
  subscribeQueue,
} from '../../support/event-resources.ts';

const clients = {
  dynamoDB: dynamoDBClient(),
  sqs: sqsClient(),
  sns: snsClient(),
  s3: s3Client(),
  eventBridge: eventBridgeClient(),
  scheduler: schedulerClient(),
};

afterAll(() => {
  for (const client of Object.values(clients)) client.destroy();
});

async function receiveOne(queueUrl: string): Promise<Message | undefined> {
  const { Messages: messages } = await clients.sqs.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      WaitTimeSeconds: 5,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    }),
  );
  return messages?.[0];
}

describe('the engines of the tests', () => {
  it('serve tables with a time to live', async () => {
    const tableName = await createTable();
    const { TimeToLiveDescription } = await clients.dynamoDB.send(
      new DescribeTimeToLiveCommand({ TableName: tableName }),
    );
    expect(TimeToLiveDescription).toEqual({ AttributeName: 'ExpiresAt', TimeToLiveStatus: 'ENABLED' });
  });

  it('serve queues', async () => {
    const queueUrl = await createQueue();
    await clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'hello' }));
    expect((await receiveOne(queueUrl))?.Body).toBe('hello');
  });

  it('serve topics that deliver to queues, raw and with attributes', async () => {
    const [topicArn, queueUrl] = [await createTopic(), await createQueue()];
    await subscribeQueue(topicArn, queueUrl, { RawMessageDelivery: 'true' });
    const attribute = { DataType: 'String', StringValue: 'x' };
    await clients.sns.send(
      new PublishCommand({ TopicArn: topicArn, Message: 'hello', MessageAttributes: { Kind: attribute } }),
    );
    expect(await receiveOne(queueUrl)).toMatchObject({
      Body: 'hello',
      MessageAttributes: { Kind: attribute },
    });
  });

  it('serve FIFO topics that deliver to FIFO queues', async () => {
    const topicArn = await createTopic({ FifoTopic: 'true' });
    const queueUrl = await createQueue({ FifoQueue: 'true' });
    await subscribeQueue(topicArn, queueUrl);
    await clients.sns.send(
      new PublishCommand({
        TopicArn: topicArn,
        Message: 'hello',
        MessageGroupId: 'group',
        MessageDeduplicationId: 'once',
      }),
    );
    const message = await receiveOne(queueUrl);
    expect(JSON.parse(message?.Body ?? '{}')).toMatchObject({ Type: 'Notification', Message: 'hello' });
    expect(message?.Attributes?.MessageGroupId).toBe('group');
  });

  it('serve buckets, by path', async () => {
    const key = { Bucket: await createBucket(), Key: 'claims/a b' };
    await clients.s3.send(new PutObjectCommand({ ...key, Body: '{"a":"ä"}' }));
    const { Body: body } = await clients.s3.send(new GetObjectCommand(key));
    expect(await body?.transformToString()).toBe('{"a":"ä"}');
  });

  it('serve event buses whose rules deliver to queues', async () => {
    const [eventBusArn, queueUrl] = [await createEventBus(), await createQueue()];
    await createRule(eventBusArn, { 'detail-type': ['Ordered'] }, queueUrl);
    const entry = { EventBusName: eventBusArn, Source: 'shop', DetailType: 'Ordered', Detail: '{"id":1}' };
    const { FailedEntryCount: failed } = await clients.eventBridge.send(
      new PutEventsCommand({ Entries: [entry] }),
    );
    expect(failed).toBe(0);
    expect(JSON.parse((await receiveOne(queueUrl))?.Body ?? '{}')).toMatchObject({
      source: 'shop',
      'detail-type': 'Ordered',
      detail: { id: 1 },
    });
  });

  it('serve schedules that send to queues', async () => {
    const [groupName, queueUrl] = [await createScheduleGroup(), await createQueue()];
    await clients.scheduler.send(
      new CreateScheduleCommand({
        Name: 'past',
        GroupName: groupName,
        ScheduleExpression: 'at(2020-02-29T10:00:00)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ActionAfterCompletion: 'DELETE',
        Target: {
          Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage',
          RoleArn: scheduleRoleArn,
          Input: JSON.stringify({ QueueUrl: queueUrl, MessageBody: 'late' }),
        },
      }),
    );
    expect((await receiveOne(queueUrl))?.Body).toBe('late');
  });
});
