import { randomUUID } from 'node:crypto';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { provisionQueues } from '../../lib/local/provision-queues.ts';
import { provisionTables, tableKeyNames } from '../../lib/local/provision-tables.ts';
import type { LocalResource } from '../../lib/local/resource-model.ts';
import { dynamoDBClient, sqsClient } from '../support/engines.ts';

const dynamoDB = dynamoDBClient();
const sqs = sqsClient();

afterAll(() => {
  dynamoDB.destroy();
  sqs.destroy();
});

function resource(type: string, properties: Record<string, unknown>, suffix = ''): LocalResource {
  const stack = { name: 'App', template: {}, assetDirectories: new Map<string, string>() };
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
  it.each(['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'])(
    'creates an %s with keys, indexes and time to live',
    async (type) => {
      const table = resource(type, { ...tableProperties, BillingMode: 'PROVISIONED' });
      const created: string[] = [];
      await provisionTables(dynamoDB, [table], created);
      expect(created).toEqual([table.name]);
      expect(tableKeyNames([table])).toEqual(new Map([[table.name, ['PK']]]));
      const { Table: described } = await dynamoDB.send(new DescribeTableCommand({ TableName: table.name }));
      expect(described?.KeySchema).toEqual(tableProperties.KeySchema);
      expect(described?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['by-owner']);
      const { TimeToLiveDescription: timeToLive } = await dynamoDB.send(
        new DescribeTimeToLiveCommand({ TableName: table.name }),
      );
      expect(timeToLive?.AttributeName).toBe('ExpiresAt');
      await dynamoDB.send(new DeleteTableCommand({ TableName: table.name }));
    },
  );

  it('says so when a table exists already', async () => {
    const table = resource('AWS::DynamoDB::Table', tableProperties);
    const created: string[] = [];
    await provisionTables(dynamoDB, [table], created);
    await expect(provisionTables(dynamoDB, [table], created)).rejects.toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining(table.name),
    });
    expect(created).toEqual([table.name]);
    await dynamoDB.send(new DeleteTableCommand({ TableName: table.name }));
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
    await provisionQueues(sqs, [dead, queue]);
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
});
