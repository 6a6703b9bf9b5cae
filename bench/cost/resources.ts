import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { createTable, deleteTable } from '../contention/table.ts';
import type { Resources } from './contender.ts';

export interface Clients {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
}

/** A table and a queue for one contender, gone when the work is over. */
export async function withResources<T>(
  clients: Clients,
  name: string,
  work: (resources: Resources) => Promise<T>,
): Promise<T> {
  const { dynamoDBClient, sqsClient } = clients;
  const tableName = `cost-${name}-${randomUUID()}`;
  await createTable(dynamoDBClient, tableName);
  try {
    const { QueueUrl: queueUrl } = await sqsClient.send(new CreateQueueCommand({ QueueName: tableName }));
    if (queueUrl === undefined) throw new Error(`Queue ${tableName} has no URL`);
    try {
      return await work({ ...clients, tableName, queueUrl });
    } finally {
      await sqsClient.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
    }
  } finally {
    await deleteTable(dynamoDBClient, tableName);
  }
}

export async function messagesIn({ sqsClient, queueUrl }: Resources): Promise<number> {
  const name = 'ApproximateNumberOfMessages';
  const { Attributes } = await sqsClient.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [name] }),
  );
  return Number(Attributes?.[name]);
}
