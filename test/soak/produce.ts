import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { mapConcurrently } from '../../lib/core/async/map-concurrently.ts';
import type { PlannedMessage } from './subject/planned-message.ts';

/** Marks messages that are delivered again after they were handled. */
export const redeliverAttribute = 'Redeliver';

const batchSize = 10;
const callsAtATime = 4;

/** Sends as a plain producer does, in this order. */
export async function produce(
  client: SQSClient,
  queueUrl: string,
  messages: readonly PlannedMessage<object>[],
): Promise<void> {
  const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, batch) =>
    messages.slice(batch * batchSize, (batch + 1) * batchSize),
  );
  await mapConcurrently(batches, callsAtATime, (batch) => sendBatch(client, queueUrl, batch));
}

async function sendBatch(
  client: SQSClient,
  QueueUrl: string,
  batch: readonly PlannedMessage<object>[],
): Promise<void> {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const Entries = batch.map(({ id, type, body, duplicate }, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(body),
    MessageAttributes: {
      'Sagabox.MessageId': text(id),
      'Sagabox.MessageType': text(type),
      ...(duplicate === 'redelivered' && { [redeliverAttribute]: text('once') }),
    },
  }));
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  if (Failed.length > 0) throw new Error(`SQS did not take a message: ${Failed[0]?.Message}`);
}
