import type { Message } from '@aws-sdk/client-sqs';
import type { SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import { localIdentity } from '../app/identity.ts';

/** A received SQS message in the shape that a Lambda handler gets it. */
export type SqsEventRecord = SQSRecord;

export function eventRecord(message: Message, queueArn: string): SqsEventRecord {
  const messageAttributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([name, { StringValue: stringValue, BinaryValue: binaryValue, DataType: dataType }]) => {
      const attribute: SQSMessageAttribute = {
        ...(stringValue !== undefined && { stringValue }),
        ...(binaryValue !== undefined && { binaryValue: Buffer.from(binaryValue).toString('base64') }),
        stringListValues: [],
        binaryListValues: [],
        dataType: dataType ?? 'String',
      };
      return [name, attribute] as const;
    },
  );
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: (message.Attributes ?? {}) as Partial<SQSRecord['attributes']> as SQSRecord['attributes'],
    messageAttributes: Object.fromEntries(messageAttributes),
    md5OfBody: message.MD5OfBody ?? '',
    ...(message.MD5OfMessageAttributes !== undefined && {
      md5OfMessageAttributes: message.MD5OfMessageAttributes,
    }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: localIdentity.region,
  };
}
