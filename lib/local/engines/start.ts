import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Cleanup } from '../app/cleanup.ts';
import { localClientConfig, localQueueUrl } from '../app/identity.ts';
import { type EventEmulator, startEventEmulator } from '../events/emulator.ts';
import type { UndeliveredMessage } from '../events/queue-sender.ts';
import type { EngineService } from '../proxy/proxied-call.ts';
import { type DynamoDBEngine, startDynamoDB } from './dynamodb.ts';
import { startSqsEmulator } from './sqs/emulator.ts';

/** The running engines, and clients of them that the runtime itself uses. */
export interface LocalEngines {
  readonly dynamoDB: DynamoDBEngine;
  readonly schedules: EventEmulator['schedules'];
  readonly endpoints: Readonly<Record<EngineService, string>>;
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  /** URL of a queue, for clients that call the emulator itself. */
  readonly queueUrl: (queueName: string) => string;
  /** Lets the clock of the queues jump ahead. */
  readonly advanceClock: (milliseconds: number) => void;
}

export interface LocalEnginesOptions {
  readonly timeScale: number;
  readonly onUndelivered: (undelivered: UndeliveredMessage) => void;
}

export async function startEngines(options: LocalEnginesOptions, cleanup: Cleanup): Promise<LocalEngines> {
  const { timeScale, onUndelivered } = options;
  const starts = [startDynamoDB(), startSqsEmulator({ timeScale })] as const;
  for (const start of await Promise.allSettled(starts)) {
    if (start.status === 'fulfilled') cleanup.add(() => start.value.stop());
  }
  const [dynamoDB, sqsEmulator] = await Promise.all(starts);
  const sqs = sqsEmulator.endpoint;
  const eventEmulator = await startEventEmulator({ sqsEndpoint: sqs, timeScale, onUndelivered });
  cleanup.add(() => eventEmulator.stop());
  const dynamoDBClient = new DynamoDBClient(localClientConfig(dynamoDB.endpoint));
  const sqsClient = new SQSClient(localClientConfig(sqs));
  cleanup.add(() => dynamoDBClient.destroy());
  cleanup.add(() => sqsClient.destroy());
  return {
    dynamoDB,
    schedules: eventEmulator.schedules,
    endpoints: {
      dynamodb: dynamoDB.endpoint,
      sqs,
      sns: sqs,
      s3: sqs,
      eventbridge: eventEmulator.endpoint,
      scheduler: eventEmulator.endpoint,
    },
    dynamoDBClient,
    sqsClient,
    queueUrl: (queueName) => localQueueUrl(sqs, queueName),
    advanceClock: (milliseconds) => {
      sqsEmulator.advanceClock(milliseconds);
      eventEmulator.advanceClock(milliseconds);
    },
  };
}
