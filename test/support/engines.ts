import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { CreateQueueCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'us-east-1';

function endpointOf(variable: string): string {
  const endpoint = process.env[variable];
  if (!endpoint) throw new Error(`${variable} is not set: tests run with the globalSetup of jest.config.js`);
  return endpoint;
}

/** A client of the DynamoDB engine of this test run. Destroy it in `afterAll`. */
export function dynamoDBClient(): DynamoDBClient {
  return new DynamoDBClient({ endpoint: endpointOf('SAGABOX_TEST_DYNAMODB_ENDPOINT'), region, credentials });
}

/** A client of the SQS engine of this test run; its endpoint wins over the host of queue URLs. */
export function sqsClient(): SQSClient {
  return new SQSClient({ endpoint: endpointOf('SAGABOX_TEST_SQS_ENDPOINT'), region, credentials });
}

/** A client of the SNS engine of this test run, which is the one of SQS too. */
export function snsClient(): SNSClient {
  return new SNSClient({ endpoint: endpointOf('SAGABOX_TEST_SQS_ENDPOINT'), region, credentials });
}

/** A client of the S3 engine of this test run, which is the one of SQS too. */
export function s3Client(): S3Client {
  return new S3Client({ endpoint: endpointOf('SAGABOX_TEST_SQS_ENDPOINT'), region, credentials });
}

/** A client of the EventBridge engine of this test run, which delivers to queues of the SQS engine. */
export function eventBridgeClient(): EventBridgeClient {
  return new EventBridgeClient({ endpoint: endpointOf('SAGABOX_TEST_EVENTS_ENDPOINT'), region, credentials });
}

/** A client of the EventBridge Scheduler engine of this test run: its clock is the real one. */
export function schedulerClient(): SchedulerClient {
  return new SchedulerClient({ endpoint: endpointOf('SAGABOX_TEST_EVENTS_ENDPOINT'), region, credentials });
}

/** A new table with the keys of sagabox and a time to live; returns its unique name. */
export async function createTable(): Promise<string> {
  const client = dynamoDBClient();
  const tableName = `test-${randomUUID()}`;
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'PK', AttributeType: 'S' },
          { AttributeName: 'SK', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'PK', KeyType: 'HASH' },
          { AttributeName: 'SK', KeyType: 'RANGE' },
        ],
      }),
    );
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { AttributeName: 'ExpiresAt', Enabled: true },
      }),
    );
  } finally {
    client.destroy();
  }
  return tableName;
}

/** A new queue; returns its URL. Its name ends in `.fifo` when the attribute `FifoQueue` is 'true'. */
export async function createQueue(
  attributes: Partial<Record<QueueAttributeName, string>> = {},
): Promise<string> {
  const client = sqsClient();
  const suffix = attributes.FifoQueue === 'true' ? '.fifo' : '';
  try {
    const { QueueUrl } = await client.send(
      new CreateQueueCommand({ QueueName: `test-${randomUUID()}${suffix}`, Attributes: attributes }),
    );
    if (!QueueUrl) throw new Error('The SQS engine gave no queue URL');
    return QueueUrl;
  } finally {
    client.destroy();
  }
}
