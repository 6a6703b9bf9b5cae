import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { messageType } from './counter-saga.ts';

export interface Queues {
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly deadLetterQueueUrl: string;
}

/** After so many deliveries a message is in the dead-letter queue. */
const maxReceiveCount = 10;
const batchSize = 10;

/** A standard queue and its dead-letter queue. */
export async function createQueues(
  client: SQSClient,
  name: string,
  visibilityTimeoutSeconds: number,
): Promise<Queues> {
  const deadLetterQueueUrl = await createQueue(client, `${name}-dlq`, {});
  const deadLetterTargetArn = await attributeOf(client, deadLetterQueueUrl, 'QueueArn');
  const queueUrl = await createQueue(client, name, {
    VisibilityTimeout: String(visibilityTimeoutSeconds),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
  });
  return { queueUrl, queueArn: await attributeOf(client, queueUrl, 'QueueArn'), deadLetterQueueUrl };
}

export async function sendAll(client: SQSClient, queueUrl: string, messages: number): Promise<void> {
  for (let first = 0; first < messages; first += batchSize) {
    const indexes = Array.from({ length: Math.min(batchSize, messages - first) }, (_, at) => first + at);
    const text = (StringValue: string) => ({ DataType: 'String', StringValue });
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: indexes.map((index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ index }),
          MessageAttributes: {
            'Sagabox.MessageType': text(messageType),
            'Sagabox.MessageId': text(`message-${index}`),
          },
        })),
      }),
    );
    if (Failed.length > 0) throw new Error(`SQS did not take a message: ${Failed[0]?.Message}`);
  }
}

export async function receiveBatch(
  client: SQSClient,
  queueUrl: string,
  signal: AbortSignal,
): Promise<Message[]> {
  try {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: batchSize,
      WaitTimeSeconds: 1,
      MessageAttributeNames: ['All'],
      MessageSystemAttributeNames: ['All'],
    });
    return (await client.send(command, { abortSignal: signal })).Messages ?? [];
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}

export async function deleteAll(
  client: SQSClient,
  queueUrl: string,
  messages: readonly Message[],
): Promise<void> {
  if (messages.length === 0) return;
  const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
}

export async function depthOf(client: SQSClient, queueUrl: string): Promise<number> {
  return Number(await attributeOf(client, queueUrl, 'ApproximateNumberOfMessages'));
}

async function createQueue(
  client: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<string> {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  if (QueueUrl === undefined) throw new Error(`Queue ${QueueName} has no URL`);
  return QueueUrl;
}

async function attributeOf(
  client: SQSClient,
  QueueUrl: string,
  name: 'QueueArn' | 'ApproximateNumberOfMessages',
): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }),
  );
  const value = Attributes?.[name];
  if (value === undefined) throw new Error(`Queue ${QueueUrl} does not tell its ${name}`);
  return value;
}
