import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { sqsRecord } from 'sagabox/testing';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { refusalOf } from '../sending/unit-of-work-of.ts';
import { cloudEvent, eventBridgeEvent, notification } from './envelope-records.ts';

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
        remedy: "Correct its sender, or read it with the option 'parse'",
      });
    },
  );

  it.each([
    ['of Kinesis', { eventSource: 'aws:kinesis', kinesis: {} }, '"aws:kinesis"'],
    ['of SNS', { EventSource: 'aws:sns', Sns: {} }, 'none'],
    ['that is nothing', undefined, 'none'],
    ['that is null', null, 'none'],
    ['that is a string', 'record', 'none'],
  ])('refuses a record %s', (_case, record, source) => {
    const error = refusalOf(() => readEnvelope(record));
    expect(error.code).toBe('InvalidEvent');
    expect(error.message).toContain(`eventSource: ${source}`);
  });

  it.each([
    [
      'an object as its body',
      { body: { orderId: '1' } },
      "The body of the record 'sqs-1' is a value of type object",
    ],
    ['no body', { body: undefined }, "The body of the record 'sqs-1' is a value of type undefined"],
    ['no id', { messageId: undefined }, 'has a message id of type undefined'],
  ])('refuses a record of SQS with %s, and does not blame its source', (_case, fields, problem) => {
    const error = refusalOf(() => readEnvelope({ ...sqsRecord({ sqsMessageId: 'sqs-1' }), ...fields }));
    expect(error.code).toBe('InvalidEvent');
    expect(error.message).toContain(problem);
    expect(error.message).toMatch(/hand on (the record|each record of SQS) as it is/i);
    expect(error.message).not.toMatch(/not from SQS|event source mapping/);
  });

  it('names the option parse where a body is in another format', () => {
    const error = refusalOf(() => readEnvelope(sqsRecord({ rawBody: '<order/>' })));
    expect(error.message).toContain("read it with the option 'parse'");
  });

  it('names the parser where that failed', () => {
    const parse = () => {
      throw new Error('a bug');
    };
    const error = refusalOf(() => readEnvelope(sqsRecord(), { parse }));
    expect(error.message).toContain("Correct the option 'parse', or the sender");
  });

  describe('a byte order mark', () => {
    const mark = '\uFEFF';
    const json = `${mark}{"orderId":"1"}`;
    const inNotification = { ...notification(json), Message: json };

    it.each([
      ['a plain body', sqsRecord({ rawBody: json })],
      ['a body of sagabox', sqsRecord({ rawBody: json, type: 'Placed' })],
      ['a CloudEvent', sqsRecord({ rawBody: `${mark}${JSON.stringify(cloudEvent)}` })],
      [
        'the data of a CloudEvent',
        sqsRecord({ body: { ...cloudEvent, data: null, data_base64: Buffer.from(json).toString('base64') } }),
      ],
      ['an event of EventBridge', sqsRecord({ rawBody: `${mark}${JSON.stringify(eventBridgeEvent)}` })],
      ['a notification', sqsRecord({ rawBody: `${mark}${JSON.stringify(notification({ orderId: '1' }))}` })],
      ['the message of a notification', sqsRecord({ body: inNotification })],
    ])('before the JSON of %s is left out', (_case, record) => {
      expect(readEnvelope(record, { defaultMessageType: 'Placed' }).body).toEqual({ orderId: '1' });
    });

    it.each([`${mark}${mark}{}`, `{}${mark}`, mark])('elsewhere makes no JSON: %j', (rawBody) => {
      expect(refusalOf(() => readEnvelope(sqsRecord({ rawBody }))).code).toBe('InvalidMessage');
    });

    it('within a string stays', () => {
      expect(readEnvelope(sqsRecord({ body: mark })).body).toBe(mark);
    });
  });
});
