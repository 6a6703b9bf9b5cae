import type { SQSRecord } from 'aws-lambda';
import { sqsRecord } from 'sagabox/testing';

/**
 * A record whose body is JSON, with the id 'sqs-1', sent at the start of 2026; message attributes beside it.
 */
export function bodyRecord(body: unknown, headers: Record<string, string> = {}): SQSRecord {
  return sqsRecord({ body, headers, sqsMessageId: 'sqs-1' });
}

export const cloudEvent = {
  specversion: '1.0',
  id: 'A-1',
  source: 'https://shop.test/orders',
  type: 'OrderPlaced',
  time: '2026-02-03T04:05:06Z',
  data: { orderId: '1' },
};

export const eventBridgeEvent = {
  version: '0',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  'detail-type': 'OrderPlaced',
  source: 'shop',
  account: '123456789012',
  time: '2026-02-03T04:05:06Z',
  region: 'us-east-1',
  resources: [],
  detail: { orderId: '1' },
};

/** What SNS delivers for a message; its body a string, or JSON of anything else. */
export function notification(message: unknown, attributes?: Record<string, unknown>) {
  return {
    Type: 'Notification',
    MessageId: 'sns-1',
    TopicArn: 'arn:aws:sns:us-east-1:123456789012:orders',
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    Timestamp: '2026-02-03T04:05:06.789Z',
    ...(attributes && { MessageAttributes: attributes }),
  };
}

export const text = (Value: string) => ({ Type: 'String', Value });
