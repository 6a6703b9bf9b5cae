import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { QueueDestination } from '../core/destination.ts';
import { utf8Bytes } from '../core/item-size.ts';
import type { OutgoingMessage } from '../core/message.ts';
import { requestAttributes, wireBody } from '../core/wire.ts';

/** An entry that can be told apart from others of its call. */
export type Entry = SendMessageBatchRequestEntry & { readonly Id: string };

/** A message as an entry of SendMessageBatch; `index` tells the entries of one call apart. */
export function toEntry(message: OutgoingMessage, destination: QueueDestination, index: number): Entry {
  return {
    Id: String(index),
    MessageBody: wireBody(message),
    MessageAttributes: requestAttributes(message),
    ...(message.delaySeconds === undefined ? {} : { DelaySeconds: message.delaySeconds }),
    ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
    ...(destination.fifo ? { MessageDeduplicationId: message.id } : {}),
  };
}

/** Bytes that count against the limit of a batch. */
export function entryBytes({
  MessageBody: body = '',
  MessageAttributes: attributes = {},
}: SendMessageBatchRequestEntry): number {
  let bytes = utf8Bytes(body);
  for (const [name, { DataType: dataType = '', StringValue: value = '' }] of Object.entries(attributes)) {
    bytes += utf8Bytes(name) + utf8Bytes(dataType) + utf8Bytes(value);
  }
  return bytes;
}
