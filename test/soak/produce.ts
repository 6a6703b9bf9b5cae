import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendInBatches } from '../support/load-kill-verify/send-in-batches.ts';
import type { PlannedMessage } from './subject/planned-message.ts';

/** Marks messages that are delivered again after they were handled. */
export const redeliverAttribute = 'Redeliver';

const callsAtATime = 4;
const text = (StringValue: string) => ({ DataType: 'String', StringValue });

/** Sends as a plain producer does, in this order. */
export async function produce(
  client: SQSClient,
  queueUrl: string,
  messages: readonly PlannedMessage<object>[],
): Promise<void> {
  const entries = messages.map(({ id, type, body, duplicate }) => ({
    MessageBody: JSON.stringify(body),
    MessageAttributes: {
      'Sagabox.MessageId': text(id),
      'Sagabox.MessageType': text(type),
      ...(duplicate === 'redelivered' && { [redeliverAttribute]: text('once') }),
    },
  }));
  await sendInBatches(client, queueUrl, entries, callsAtATime);
}
