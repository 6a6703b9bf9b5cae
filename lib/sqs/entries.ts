import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { Destination } from '../core/destination.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { ATTRIBUTE_DATA_TYPE, wireAttributes } from '../core/outgoing.ts';

/** A message as an entry of SendMessageBatch; `index` tells the entries of one call apart. */
export function toEntry(
  message: OutgoingMessage,
  destination: Destination,
  index: number,
): SendMessageBatchRequestEntry {
  const attributes = Object.entries(wireAttributes(message)).map(
    ([name, value]) => [name, { DataType: ATTRIBUTE_DATA_TYPE, StringValue: value }] as const,
  );
  return {
    Id: String(index),
    MessageBody: JSON.stringify(message.body),
    MessageAttributes: Object.fromEntries(attributes),
    ...(message.delaySeconds === undefined ? {} : { DelaySeconds: message.delaySeconds }),
    ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
    ...(destination.fifo ? { MessageDeduplicationId: message.id } : {}),
  };
}
