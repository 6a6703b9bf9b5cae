import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { sqsRecord } from 'sagabox/testing';
import { readEnvelope } from '../../../lib/core/incoming/envelope.ts';
import { refusalOf } from '../outgoing/unit-of-work-of.ts';

describe('readEnvelope', () => {
  it('reads a message of sagabox', () => {
    const record = sqsRecord({
      type: 'OrderPlaced',
      body: { orderId: '1' },
      id: 'order-1',
      headers: { 'Sagabox.SentAt': '2026-02-03T04:05:06.789Z', tenant: 'a' },
      receiveCount: 3,
      sqsMessageId: 'sqs-1',
    });
    expect(readEnvelope(record)).toEqual({
      id: 'order-1',
      type: 'OrderPlaced',
      body: { orderId: '1' },
      headers: {
        'Sagabox.MessageId': 'order-1',
        'Sagabox.MessageType': 'OrderPlaced',
        'Sagabox.SentAt': '2026-02-03T04:05:06.789Z',
        tenant: 'a',
      },
      receiveCount: 3,
      sentAt: new Date('2026-02-03T04:05:06.789Z'),
      record,
    });
  });

  it('takes the id and the time that SQS gave, and the default type, when the producer set none', () => {
    const record = sqsRecord({ sqsMessageId: 'sqs-1', sentAt: new Date('2026-02-03T04:05:06Z') });
    expect(readEnvelope(record, { defaultMessageType: 'Uploaded' })).toMatchObject({
      id: 'sqs-1',
      type: 'Uploaded',
      headers: {},
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
  });

  it('prefers the type that the message carries', () => {
    const record = sqsRecord({ type: 'Own' });
    expect(readEnvelope(record, { defaultMessageType: 'Uploaded' }).type).toBe('Own');
  });

  it('has an empty type, which no handler takes, when there is none at all', () => {
    expect(readEnvelope(sqsRecord()).type).toBe('');
  });

  it('takes the time of SQS when the stated one is no date', () => {
    const record = sqsRecord({ headers: { 'Sagabox.SentAt': 'yesterday' } });
    expect(readEnvelope(record).sentAt).toEqual(new Date('2026-01-01T00:00:00Z'));
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'keeps a header named %s as any other, and inherits none',
    (name) => {
      const messageAttributes = Object.defineProperty({}, name, {
        value: { dataType: 'String', stringValue: 'hostile' },
        enumerable: true,
      });
      const { headers } = readEnvelope({ ...sqsRecord(), messageAttributes });
      expect(Object.keys(headers)).toEqual([name]);
      expect(headers[name]).toBe('hostile');
      expect(readEnvelope(sqsRecord()).headers[name]).toBeUndefined();
      expect(({} as Record<string, unknown>).stringValue).toBeUndefined();
    },
  );

  it('leaves out attributes that are not text', () => {
    const messageAttributes = {
      picture: { dataType: 'Binary', binaryValue: 'AAEC' },
      tenant: { dataType: 'String', stringValue: 'a' },
    };
    expect({ ...readEnvelope({ ...sqsRecord(), messageAttributes }).headers }).toEqual({ tenant: 'a' });
  });

  it.each(['attributes', 'messageAttributes'])('does without %s', (property) => {
    const record: Partial<SQSRecord> = sqsRecord({ sqsMessageId: 'sqs-1' });
    delete record[property as keyof SQSRecord];
    expect(readEnvelope(record)).toMatchObject({ id: 'sqs-1', receiveCount: 1, sentAt: expect.any(Date) });
  });

  it.each(['', 'plain text', '{"a":', '<order/>', 'undefined', "{'a': 1}"])(
    'refuses a body that is not JSON: %j',
    (rawBody) => {
      const error = refusalOf(() => readEnvelope(sqsRecord({ type: 'OrderPlaced', id: 'order-1', rawBody })));
      expect(error.code).toBe('InvalidMessage');
      expect(error.cause).toBeInstanceOf(SyntaxError);
      expect(error.facts).toEqual({
        messageId: 'order-1',
        messageType: 'OrderPlaced',
        issues: [`its body is not JSON (${(error.cause as SyntaxError).message})`],
      });
    },
  );

  it.each([
    ['of Kinesis', { eventSource: 'aws:kinesis', kinesis: {} }, '"aws:kinesis"'],
    ['of SNS', { EventSource: 'aws:sns', Sns: {} }, 'none'],
    ['that is nothing', undefined, 'none'],
    ['that is null', null, 'none'],
    ['that is a string', 'record', 'none'],
    ['without a body', { ...sqsRecord(), body: undefined }, '"aws:sqs"'],
    ['without an id', { ...sqsRecord(), messageId: undefined }, '"aws:sqs"'],
  ])('refuses a record %s', (_case, record, source) => {
    const error = refusalOf(() => readEnvelope(record));
    expect(error.code).toBe('InvalidEvent');
    expect(error.message).toContain(`eventSource: ${source}`);
  });
});
