import { randomUUID } from 'node:crypto';
import { type MessageAttributeValue, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { headerNames } from '../../messages/headers.ts';
import { wireJson } from '../../messages/wire-format/wire-json.ts';
import type { AppMessage } from './read-messages.ts';

/** @returns the id that it was sent with */
export async function sendMessage(client: SQSClient, queueUrl: string, message: AppMessage): Promise<string> {
  const id = message.id ?? randomUUID();
  await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: wireJson(message.body),
      MessageAttributes: messageAttributes({ ...message, id }),
      ...(queueUrl.endsWith('.fifo') && { MessageGroupId: id, MessageDeduplicationId: randomUUID() }),
    }),
  );
  return id;
}

/** The message attributes that it is sent with. */
export function messageAttributes({
  id,
  type,
  headers,
}: Required<Pick<AppMessage, 'id' | 'type'>> & Pick<AppMessage, 'headers'>) {
  const values = { ...headers, [headerNames.messageId]: id, [headerNames.messageType]: type };
  return Object.fromEntries(
    Object.entries(values).map(([name, StringValue]): [string, MessageAttributeValue] => [
      name,
      { DataType: 'String', StringValue },
    ]),
  );
}
