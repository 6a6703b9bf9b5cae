import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { messageAttributes } from '../engines/sqs-records.ts';
import { messageType } from './counter-saga.ts';

const batchSize = 10;

export async function sendAll(client: SQSClient, QueueUrl: string, messages: number): Promise<void> {
  for (let first = 0; first < messages; first += batchSize) {
    const indexes = Array.from({ length: Math.min(batchSize, messages - first) }, (_, at) => first + at);
    const Entries = indexes.map((index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ index }),
      MessageAttributes: messageAttributes(`message-${index}`, messageType),
    }));
    const { Failed: [failed] = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (failed) throw new Error(`SQS refused a message: ${failed.Message}`);
  }
}
