import type { Message } from '@aws-sdk/client-sqs';
import { localIdentity } from '../app/identity.ts';

/** A received SQS message in the shape that a Lambda handler gets it. */
export interface SqsEventRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly messageAttributes: Readonly<Record<string, SqsEventAttribute>>;
  readonly md5OfBody: string;
  readonly md5OfMessageAttributes?: string;
  readonly eventSource: 'aws:sqs';
  readonly eventSourceARN: string;
  readonly awsRegion: string;
}

export interface SqsEventAttribute {
  readonly stringValue?: string;
  /** Base64. */
  readonly binaryValue?: string;
  readonly stringListValues: readonly string[];
  readonly binaryListValues: readonly string[];
  readonly dataType: string;
}

export function eventRecord(message: Message, queueArn: string): SqsEventRecord {
  const messageAttributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([name, { StringValue: stringValue, BinaryValue: binaryValue, DataType: dataType }]) => {
      const attribute: SqsEventAttribute = {
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
    attributes: message.Attributes ?? {},
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
