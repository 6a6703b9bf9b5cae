import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { sqsRecord } from 'sagabox/testing';
import { attributeOf, receiveAll } from './received-records.ts';

/** A message that arrived in a queue. */
export interface ArrivedMessage {
  readonly id: string;
  readonly type: string;
  readonly body: unknown;
}

/** Everything that waits in a queue. */
export async function drain(client: SQSClient, queueUrl: string): Promise<ArrivedMessage[]> {
  return (await receiveAll(client, queueUrl)).map((message) => ({
    id: attributeOf(message, 'Sagabox.MessageId'),
    type: attributeOf(message, 'Sagabox.MessageType'),
    body: JSON.parse(message.Body ?? 'null'),
  }));
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
