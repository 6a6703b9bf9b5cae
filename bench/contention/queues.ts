import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { messageAttributes } from '../engines/sqs-records.ts';
import { messageType } from './counter-saga.ts';

const batchSize = 10;

export async function sendAll(client: SQSClient, queueUrl: string, messages: number): Promise<void> {
  for (let first = 0; first < messages; first += batchSize) {
    const indexes = Array.from({ length: Math.min(batchSize, messages - first) }, (_, at) => first + at);
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: indexes.map((index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ index }),
          MessageAttributes: messageAttributes(`message-${index}`, messageType),
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
