import type { PublishBatchRequestEntry } from '@aws-sdk/client-sns';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import type { TopicDestination } from '../../core/outgoing/destination.ts';
import { requestAttributes, wireBody } from '../../core/wire-format/wire.ts';

/** A message as an entry of PublishBatch; `index` tells the entries of one call apart. */
export function toEntry(
  message: OutgoingMessage,
  { fifo }: TopicDestination,
  index: number,
): PublishBatchRequestEntry {
  return {
    Id: String(index),
    Message: wireBody(message),
    MessageAttributes: requestAttributes(message),
    ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
    ...(fifo ? { MessageDeduplicationId: message.id } : {}),
  };
}
