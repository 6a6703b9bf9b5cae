import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import type { QueueDestination } from '../../core/outgoing/destination.ts';
import { utf8Bytes } from '../../core/storage/item-size.ts';
import { requestAttributes, wireBody } from '../../core/wire-format/wire.ts';

/** An entry that can be told apart from others of its call. */
export type Entry = SendMessageBatchRequestEntry & { readonly Id: string };

/** A message as an entry of SendMessageBatch; `index` tells the entries of one call apart. */
export function toEntry(message: OutgoingMessage, destination: QueueDestination, index: number): Entry {
  const { delaySeconds, messageGroupId } = message;
  return {
    Id: String(index),
    MessageBody: wireBody(message),
    MessageAttributes: requestAttributes(message),
    ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
    ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
    ...(destination.fifo && { MessageDeduplicationId: message.id }),
  };
}

/** Bytes that count against the limit of a batch. */
export function entryBytes({
  MessageBody: body = '',
  MessageAttributes: attributes = {},
}: SendMessageBatchRequestEntry): number {
  let bytes = utf8Bytes(body);
  for (const name of Object.keys(attributes)) {
    const { DataType: dataType = '', StringValue: value = '' } = attributes[name] ?? {};
    bytes += utf8Bytes(name) + utf8Bytes(dataType) + utf8Bytes(value);
  }
  return bytes;
}
