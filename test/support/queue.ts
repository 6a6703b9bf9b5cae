import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { sqsRecord } from 'sagabox/testing';

/** A message that arrived in a queue. */
export interface ArrivedMessage {
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
}

/** Everything that waits in a queue. */
export async function drain(client: SQSClient, queueUrl: string): Promise<ArrivedMessage[]> {
  const arrived: ArrivedMessage[] = [];
  for (;;) {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      MessageAttributeNames: ['All'],
    });
    const { Messages = [] } = await client.send(command);
    if (Messages.length === 0) return arrived;
    for (const { Body, MessageAttributes } of Messages) {
      arrived.push({
        id: MessageAttributes?.['Sagabox.MessageId']?.StringValue ?? '',
        type: MessageAttributes?.['Sagabox.MessageType']?.StringValue ?? '',
        body: JSON.parse(Body ?? 'null'),
      });
    }
  }
}

/** A record as Lambda hands it over; `fields` replace those of the record. */
export function record(
  type: string,
  body: unknown,
  id: string = crypto.randomUUID(),
  fields: Partial<SQSRecord> = {},
): SQSRecord {
  return { ...sqsRecord({ type, body, id }), ...fields };
}
