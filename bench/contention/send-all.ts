import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendInBatches } from '../../test/support/load-kill-verify/send-in-batches.ts';
import { messageAttributes } from '../engines/sqs-records.ts';
import { messageType } from './counter-saga.ts';

export async function sendAll(client: SQSClient, queueUrl: string, messages: number): Promise<void> {
  const entries = Array.from({ length: messages }, (_, index) => ({
    MessageBody: JSON.stringify({ index }),
    MessageAttributes: messageAttributes(`message-${index}`, messageType),
  }));
  await sendInBatches(client, queueUrl, entries);
}
