import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';

const dynamoDB = dynamoDBClient();
const sqs = sqsClient();

afterAll(() => {
  dynamoDB.destroy();
  sqs.destroy();
});

describe('the engines of the tests', () => {
  it('serve tables with a time to live', async () => {
    const tableName = await createTable();
    const { TimeToLiveDescription } = await dynamoDB.send(
      new DescribeTimeToLiveCommand({ TableName: tableName }),
    );
    expect(TimeToLiveDescription).toEqual({ AttributeName: 'ExpiresAt', TimeToLiveStatus: 'ENABLED' });
  });

  it('serve queues', async () => {
    const queueUrl = await createQueue();
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'hello' }));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl }));
    expect(Messages?.map((message) => message.Body)).toEqual(['hello']);
  });
});
