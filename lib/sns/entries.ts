import type { PublishBatchRequestEntry } from '@aws-sdk/client-sns';
import type { TopicDestination } from '../core/destination.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { ATTRIBUTE_DATA_TYPE, wireAttributes, wireBody } from '../core/wire.ts';

/** A message as an entry of PublishBatch; `index` tells the entries of one call apart. */
export function toEntry(
  message: OutgoingMessage,
  { fifo }: TopicDestination,
  index: number,
): PublishBatchRequestEntry {
  const attributes = Object.entries(wireAttributes(message)).map(
    ([name, value]) => [name, { DataType: ATTRIBUTE_DATA_TYPE, StringValue: value }] as const,
  );
  return {
    Id: String(index),
    Message: wireBody(message),
    MessageAttributes: Object.fromEntries(attributes),
    ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
    ...(fifo ? { MessageDeduplicationId: message.id } : {}),
  };
}
