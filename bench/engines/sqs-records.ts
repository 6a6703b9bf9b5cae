import { headerNames } from 'sagabox';
import { eventRecord, type SqsEventRecord } from '../../lib/local/lambda/sqs-event.ts';

/** A message, as its sender knows it. */
export interface SentMessage {
  readonly id: string;
  readonly type: string;
  readonly body: object;
}

/** As Lambda gives a message of the endpoint's queue to a function, delivered for the first time. */
export function sqsRecord({ id, type, body }: SentMessage, endpoint: string): SqsEventRecord {
  return eventRecord(
    {
      MessageId: id,
      ReceiptHandle: id,
      Body: JSON.stringify(body),
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
      MessageAttributes: messageAttributes(id, type),
    },
    `arn:aws:sqs:us-east-1:000000000000:${endpoint}`,
  );
}

export function messageAttributes(id: string, type: string) {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  return { [headerNames.messageId]: text(id), [headerNames.messageType]: text(type) };
}
