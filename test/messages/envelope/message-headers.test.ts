import { describe, expect, it } from '@jest/globals';
import { sqsRecord } from 'sagabox/testing';
import { deduplicationIdOf, readEnvelope } from '../../../lib/messages/envelope.ts';
import { wireAttributes } from '../../../lib/messages/wire-format/wire.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';
import { bodyRecord, cloudEvent, eventBridgeEvent, notification } from '../envelope-records.ts';

describe('the folded headers of a message', () => {
  it('are read back as they are written', () => {
    const own = ['ConversationId', 'CausationId', 'CorrelationId', 'Saga', 'ReplyTo', 'SentAt', 'Timeout'];
    const headers = {
      ...Object.fromEntries(own.map((name) => [`Sagabox.${name}`, `the ${name}`])),
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tenant: 'a',
      region: 'b',
    };
    const attributes = wireAttributes({
      id: 'm-1',
      destination: 'd',
      type: 'OrderPlaced',
      body: {},
      headers,
    });
    expect(attributes).toHaveProperty(['Sagabox.Headers']);
    expect({ ...readEnvelope(sqsRecord({ headers: attributes })).headers }).toEqual({
      ...headers,
      'Sagabox.MessageId': 'm-1',
      'Sagabox.MessageType': 'OrderPlaced',
    });
  });

  it('give way to attributes, and hold no others that are folded', () => {
    const folded = JSON.stringify({ tenant: 'b', region: 'c', empty: '', 'Sagabox.Headers': '{"x":"y"}' });
    const { headers } = readEnvelope(bodyRecord({}, { tenant: 'a', 'Sagabox.Headers': folded }));
    expect({ ...headers }).toEqual({ tenant: 'a', region: 'c' });
  });

  it('may name the id, the type and the time', () => {
    const folded = JSON.stringify({
      'Sagabox.MessageId': 'm-1',
      'Sagabox.MessageType': 'OrderPlaced',
      'Sagabox.SentAt': '2026-02-03T04:05:06Z',
    });
    expect(readEnvelope(bodyRecord(cloudEvent, { 'Sagabox.Headers': folded }))).toMatchObject({
      id: 'm-1',
      type: 'OrderPlaced',
      body: cloudEvent,
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
  });

  it('may be named __proto__', () => {
    const { headers } = readEnvelope(bodyRecord({}, { 'Sagabox.Headers': '{"__proto__":"hostile"}' }));
    expect(Object.keys(headers)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(headers)).toBeNull();
  });

  it.each(['', 'text', 'null', '7', '"text"', '[]', '["a"]', '{"a":1}', '{"a":null}', '{"a":{}}', '{"a":'])(
    'are refused when they are %j',
    (folded) => {
      const headers = { 'Sagabox.MessageType': 'OrderPlaced', 'Sagabox.Headers': folded };
      const error = refusalOf(() => readEnvelope(bodyRecord({}, headers)));
      expect(error).toMatchObject({
        code: 'InvalidMessage',
        facts: { messageId: 'sqs-1', messageType: 'OrderPlaced' },
      });
    },
  );
});

describe('the id of a message', () => {
  const inAttribute = (id: string) => bodyRecord({}, { 'Sagabox.MessageId': id });
  const inEvent = (id: string) => {
    const sagabox = { 'Sagabox.MessageId': id, 'Sagabox.ReplyTo': 'orders' };
    return bodyRecord({ ...eventBridgeEvent, source: 'sagabox.orders', detail: { sagabox } });
  };

  it.each([
    ['an attribute', inAttribute],
    ['an event', inEvent],
  ])('in %s may have up to 2048 bytes', (_case, record) => {
    const longest = `${'x'.repeat(2046)}é`;
    expect(readEnvelope(record(longest)).id).toBe(longest);
    const error = refusalOf(() => readEnvelope(record(`x${longest}`)));
    expect(error).toMatchObject({ code: 'InvalidMessage', facts: { messageId: 'sqs-1' } });
    expect(error.message).toContain('its id is empty, over 2048 bytes');
  });

  it.each(['\uD800', 'a\uDC00b'])('is refused when it is ill-formed, as %j is', (id) => {
    expect(refusalOf(() => readEnvelope(inEvent(id))).code).toBe('InvalidMessage');
  });

  it('is the one that SQS gave when it is empty', () => {
    expect(readEnvelope(inAttribute('')).id).toBe('sqs-1');
  });

  it('is taken from its attribute without a type too', () => {
    const record = sqsRecord({ id: 'm-1', body: { orderId: '1' } });
    expect(readEnvelope(record, { defaultMessageType: 'OrderPlaced' })).toMatchObject({
      id: 'm-1',
      type: 'OrderPlaced',
      body: { orderId: '1' },
    });
  });

  it('is refused when there is none at all', () => {
    expect(refusalOf(() => readEnvelope(sqsRecord({ sqsMessageId: '' }))).code).toBe('InvalidMessage');
  });
});

describe('the id of a message that nobody has read', () => {
  it.each([
    ['its attribute', bodyRecord(cloudEvent, { 'Sagabox.MessageId': 'm-1' }), 'm-1'],
    ['its format', bodyRecord(cloudEvent), 'https://shop.test/orders#A-1'],
    ['SNS, though its message is not JSON', bodyRecord(notification('<order/>')), 'sns-1'],
    [
      'a CloudEvent, though its data cannot be read',
      bodyRecord({ ...cloudEvent, data_base64: 7 }),
      'https://shop.test/orders#A-1',
    ],
    [
      'its attribute, though others are malformed',
      bodyRecord({}, { 'Sagabox.MessageId': 'm-1', 'Sagabox.Headers': '' }),
      'm-1',
    ],
    ['SQS, for a plain message', bodyRecord({}), 'sqs-1'],
    ['SQS, for what is no JSON', sqsRecord({ rawBody: '<order/>', sqsMessageId: 'sqs-1' }), 'sqs-1'],
    ['SQS, when its own is too long', bodyRecord({}, { 'Sagabox.MessageId': 'x'.repeat(2049) }), 'sqs-1'],
  ])('is that of %s', (_case, record, id) => {
    expect(deduplicationIdOf(record)).toBe(id);
  });
});
