import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Cleanup } from './cleanup.ts';
import { type DynamoDBEngine, startDynamoDBLocal } from './dynamodb-local.ts';
import { localIdentity } from './local-identity.ts';
import { type SqsEmulator, startSqsEmulator } from './sqs-emulator.ts';

/** The running engines, and clients of them that the runtime itself uses. */
export interface LocalEngines {
  readonly dynamoDB: DynamoDBEngine;
  readonly sqsEmulator: SqsEmulator;
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  /** URL of a queue, for clients that call the emulator itself. */
  readonly queueUrl: (queueName: string) => string;
}

export async function startEngines(timeScale: number, cleanup: Cleanup): Promise<LocalEngines> {
  const starts = [startDynamoDBLocal(), startSqsEmulator({ timeScale })] as const;
  for (const start of await Promise.allSettled(starts)) {
    if (start.status === 'fulfilled') cleanup.add(() => start.value.stop());
  }
  const [dynamoDB, sqsEmulator] = await Promise.all(starts);
  const { region, credentials, accountId } = localIdentity;
  const dynamoDBClient = new DynamoDBClient({ endpoint: dynamoDB.endpoint, region, credentials });
  const sqsClient = new SQSClient({ endpoint: sqsEmulator.endpoint, region, credentials });
  cleanup.add(() => dynamoDBClient.destroy());
  cleanup.add(() => sqsClient.destroy());
  return {
    dynamoDB,
    sqsEmulator,
    dynamoDBClient,
    sqsClient,
    queueUrl: (queueName) => `${sqsEmulator.endpoint}/${accountId}/${queueName}`,
  };
}
