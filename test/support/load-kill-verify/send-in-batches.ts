import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { mapConcurrently } from '../../../lib/kernel/async/map-concurrently.ts';

const batchSize = 10;

/** Sends messages in this order, as a plain producer does. */
export async function sendInBatches(
  client: SQSClient,
  QueueUrl: string,
  messages: readonly Omit<SendMessageBatchRequestEntry, 'Id'>[],
  callsAtATime = 1,
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, batch) =>
    messages.slice(batch * batchSize, (batch + 1) * batchSize),
  );
  await mapConcurrently(batches, callsAtATime, async (batch) => {
    const Entries = batch.map((message, index) => ({ Id: String(index), ...message }));
    const { Failed: [failed] = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (failed) throw new Error(`SQS did not take a message: ${failed.Message}`);
  });
}
