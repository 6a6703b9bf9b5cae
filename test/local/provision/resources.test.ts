import { randomUUID } from 'node:crypto';
import { DescribeTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { CreateScheduleGroupCommand } from '@aws-sdk/client-scheduler';
import {
  GetSubscriptionAttributesCommand,
  GetTopicAttributesCommand,
  ListSubscriptionsByTopicCommand,
} from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Cleanup } from '../../../lib/local/app/cleanup.ts';
import type { StreamArns } from '../../../lib/local/app/resources/kinds.ts';
import type { LocalResource } from '../../../lib/local/app/resources/model.ts';
import { provisionResources } from '../../../lib/local/provision/resources.ts';
import {
  createQueue,
  dynamoDBClient,
  eventBridgeClient,
  s3Client,
  schedulerClient,
  snsClient,
  sqsClient,
} from '../../support/engines.ts';
import { queueArnOf } from '../../support/event-resources.ts';
import { receiveMessages } from '../../support/received-records.ts';

const dynamoDB = dynamoDBClient();
const sqs = sqsClient();
const sns = snsClient();
const s3 = s3Client();
const eventBridge = eventBridgeClient();
const scheduler = schedulerClient();

const { SAGABOX_TEST_SQS_ENDPOINT: sqsEndpoint, SAGABOX_TEST_EVENTS_ENDPOINT: eventbridge } = process.env;
const engines = {
  dynamoDB: { isShared: true },
  dynamoDBClient: dynamoDB,
  sqsClient: sqs,
  endpoints: { sns: sqsEndpoint, s3: sqsEndpoint, eventbridge },
} as Parameters<typeof provisionResources>[0];
const cleanup = new Cleanup();

function provision(...resources: LocalResource[]): Promise<StreamArns> {
  return provisionResources(engines, resources, cleanup);
}

function resource(type: string, properties: Record<string, unknown>, suffix = ''): LocalResource {
  const stack = { name: 'App', template: {}, nestedTemplates: [], assetPaths: new Map<string, string>() };
  return { type, logicalId: 'It', name: `test-${randomUUID()}${suffix}`, properties, stack };
}

const tableProperties = {
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'owner', AttributeType: 'S' },
  ],
  KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-owner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
    },
  ],
  TimeToLiveSpecification: { AttributeName: 'ExpiresAt', Enabled: true },
};

describe('provisioning', () => {
  afterAll(() => cleanup.run());

  it.each(['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'])(
    'creates an %s with keys, indexes and time to live',
    async (type) => {
      const table = resource(type, { ...tableProperties, BillingMode: 'PROVISIONED' });
      await provision(table);
      const { Table: described } = await dynamoDB.send(new DescribeTableCommand({ TableName: table.name }));
      expect(described?.KeySchema).toEqual(tableProperties.KeySchema);
      expect(described?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['by-owner']);
      const { TimeToLiveDescription: timeToLive } = await dynamoDB.send(
        new DescribeTimeToLiveCommand({ TableName: table.name }),
      );
      expect(timeToLive?.AttributeName).toBe('ExpiresAt');
    },
  );

  it('creates a table with its stream, and tells the ARN that the engine gives it', async () => {
    const StreamSpecification = { StreamViewType: 'KEYS_ONLY', ResourcePolicy: {} };
    const streamed = resource('AWS::DynamoDB::Table', { ...tableProperties, StreamSpecification });
    const streamArns = await provision(streamed, resource('AWS::DynamoDB::Table', tableProperties));
    const { Table: table } = await dynamoDB.send(new DescribeTableCommand({ TableName: streamed.name }));
    expect(table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'KEYS_ONLY' });
    expect(streamArns).toEqual(new Map([[streamed.name, table?.LatestStreamArn]]));
  });

  it('says so when a table exists already, and keeps it', async () => {
    const table = resource('AWS::DynamoDB::Table', tableProperties);
    await provision(table);
    const second = new Cleanup();
    await expect(provisionResources(engines, [table], second)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining(table.name),
    });
    await second.run();
    const describeTable = new DescribeTableCommand({ TableName: table.name });
    await expect(dynamoDB.send(describeTable)).resolves.toBeDefined();
  });

  it('creates a FIFO queue with its visibility timeout and redrive policy', async () => {
    const dead = resource('AWS::SQS::Queue', { FifoQueue: true }, '.fifo');
    const redrivePolicy = {
      deadLetterTargetArn: `arn:aws:sqs:us-east-1:000000000000:${dead.name}`,
      maxReceiveCount: 3,
    };
    const queue = resource(
      'AWS::SQS::Queue',
      {
        FifoQueue: true,
        ContentBasedDeduplication: true,
        VisibilityTimeout: 180,
        RedrivePolicy: redrivePolicy,
      },
      '.fifo',
    );
    await provision(dead, queue);
    const { QueueUrl: queueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queue.name }));
    const { Attributes: attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['All'] }),
    );
    expect(attributes).toMatchObject({
      FifoQueue: 'true',
      ContentBasedDeduplication: 'true',
      VisibilityTimeout: '180',
    });
    expect(JSON.parse(attributes?.RedrivePolicy ?? '{}')).toEqual(redrivePolicy);
  });

  it('creates a FIFO topic, and subscribes queues with a filter', async () => {
    const topic = resource('AWS::SNS::Topic', { FifoTopic: true, ContentBasedDeduplication: true }, '.fifo');
    const topicArn = `arn:aws:sns:us-east-1:000000000000:${topic.name}`;
    const queueArn = queueArnOf(await createQueue({ FifoQueue: 'true' }));
    const subscription = resource('AWS::SNS::Subscription', {
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: queueArn,
      RawMessageDelivery: true,
      FilterPolicy: { total: [{ numeric: ['>', 10] }] },
      FilterPolicyScope: 'MessageBody',
    });
    await provision(subscription, topic);
    const { Attributes: attributes } = await sns.send(new GetTopicAttributesCommand({ TopicArn: topicArn }));
    expect(attributes).toMatchObject({ FifoTopic: 'true', ContentBasedDeduplication: 'true' });
    const { Subscriptions: [subscribed, ...others] = [] } = await sns.send(
      new ListSubscriptionsByTopicCommand({ TopicArn: topicArn }),
    );
    expect(others).toEqual([]);
    expect(subscribed).toMatchObject({ Protocol: 'sqs', Endpoint: queueArn });
    const described = await sns.send(
      new GetSubscriptionAttributesCommand({ SubscriptionArn: subscribed?.SubscriptionArn }),
    );
    expect(described.Attributes).toMatchObject({
      RawMessageDelivery: 'true',
      FilterPolicy: '{"total":[{"numeric":[">",10]}]}',
      FilterPolicyScope: 'MessageBody',
    });
  });

  it('subscribes the queues that a topic itself names', async () => {
    const queueArn = queueArnOf(await createQueue());
    const topic = resource('AWS::SNS::Topic', { Subscription: [{ Protocol: 'sqs', Endpoint: queueArn }] });
    await provision(topic);
    const { Subscriptions: subscriptions } = await sns.send(
      new ListSubscriptionsByTopicCommand({ TopicArn: `arn:aws:sns:us-east-1:000000000000:${topic.name}` }),
    );
    expect(subscriptions?.map(({ Endpoint: endpoint }) => endpoint)).toEqual([queueArn]);
  });

  it('says so when a queue subscribes to a topic that is not there', async () => {
    const subscription = resource('AWS::SNS::Subscription', {
      TopicArn: 'arn:aws:sns:us-east-1:000000000000:no-such-topic',
      Protocol: 'sqs',
      Endpoint: queueArnOf(await createQueue()),
    });
    await expect(provision(subscription)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('Topic does not exist'),
    });
  });

  it('creates a bucket', async () => {
    const bucket = resource('AWS::S3::Bucket', { LifecycleConfiguration: { Rules: [] } });
    await provision(bucket);
    await expect(s3.send(new HeadBucketCommand({ Bucket: bucket.name }))).resolves.toBeDefined();
  });

  it('creates an event bus with its enabled rules, and a schedule group', async () => {
    const [queueUrl, disabledUrl] = [await createQueue(), await createQueue()];
    const bus = resource('AWS::Events::EventBus', {});
    const group = resource('AWS::Scheduler::ScheduleGroup', {});
    const rule = (url: string, state: string) =>
      resource('AWS::Events::Rule', {
        EventBusName: bus.name,
        EventPattern: { source: ['shop'] },
        State: state,
        Targets: [{ Id: 'Target0', Arn: queueArnOf(url), RetryPolicy: { MaximumRetryAttempts: 1 } }],
      });
    const rules = [rule(queueUrl, 'ENABLED'), rule(disabledUrl, 'DISABLED')];
    await provision(...rules, group, bus);
    const entry = { EventBusName: bus.name, Source: 'shop', DetailType: 'Ordered', Detail: '{}' };
    await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
    expect(await receiveMessages(sqs, queueUrl)).toHaveLength(1);
    expect(await receiveMessages(sqs, disabledUrl)).toEqual([]);
    await expect(scheduler.send(new CreateScheduleGroupCommand({ Name: group.name }))).rejects.toMatchObject({
      name: 'ConflictException',
    });
  });

  it('says so when a rule has a pattern that is not played', async () => {
    const rule = resource('AWS::Events::Rule', { EventPattern: { source: [{ cidr: '10.0.0.0/8' }] } });
    await expect(provision(rule)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining('cidr'),
    });
  });
});
