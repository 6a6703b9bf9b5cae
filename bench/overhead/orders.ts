import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { headerNames } from 'sagabox';

export interface OrderPlaced {
  readonly orderId: string;
  readonly customer: string;
  readonly total: number;
}

export const orderPlaced = 'OrderPlaced';

/** The same check for every contender: none of them is to pay for a schema library. */
export function orderFrom(body: unknown): OrderPlaced {
  if (typeof (body as Partial<OrderPlaced> | null)?.orderId === 'string') return body as OrderPlaced;
  throw new TypeError('An order has an orderId');
}

export const orderSchema: StandardSchemaV1<OrderPlaced> = {
  '~standard': { version: 1, vendor: 'sagabox', validate: (value) => ({ value: orderFrom(value) }) },
};

/** Batches as Lambda gives them to a function: parsed anew each time, as if they were different ones. */
export function orderBatches(records: number): () => SQSEvent {
  const text = JSON.stringify({ Records: Array.from({ length: records }, (_, index) => recordOf(index)) });
  return () => JSON.parse(text);
}

function recordOf(index: number): SQSRecord {
  const messageId = `5f0c6a35-5b0e-4c6c-9a51-${String(index).padStart(12, '0')}`;
  const order: OrderPlaced = {
    orderId: `order-${index}`,
    customer: 'A customer of some renown',
    total: 129.9,
  };
  const sentAt = '1767225600000';
  const header = (stringValue: string) => ({ stringValue, dataType: 'String' });
  return {
    messageId,
    receiptHandle: messageId,
    body: JSON.stringify(order),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: sentAt,
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: sentAt,
    },
    messageAttributes: {
      [headerNames.messageId]: header(messageId),
      [headerNames.messageType]: header(orderPlaced),
      [headerNames.conversationId]: header(messageId),
    },
    md5OfBody: '9e107d9d372bb6826bd81d3542a419d6',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-west-1:000000000000:orders',
    awsRegion: 'eu-west-1',
  };
}
