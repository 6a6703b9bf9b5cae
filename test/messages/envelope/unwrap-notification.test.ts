import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';
import { bodyRecord, cloudEvent, eventBridgeEvent, notification, text } from '../envelope-records.ts';

describe('a notification of SNS', () => {
  it('gives its id, message, time, and attributes that are strings', () => {
    const attributes = {
      tenant: text('a'),
      amount: { Type: 'Number', Value: '7' },
      picture: { Type: 'Binary', Value: 'AAEC' },
      number: { Type: 'String', Value: 7 },
      nothing: null,
    };
    const read = readEnvelope(bodyRecord(notification({ orderId: '1' }, attributes)), {
      defaultMessageType: 'Placed',
    });
    expect(read).toMatchObject({
      id: 'sns-1',
      type: 'Placed',
      body: { orderId: '1' },
      sentAt: new Date('2026-02-03T04:05:06.789Z'),
    });
    expect({ ...read.headers }).toEqual({ tenant: 'a', amount: '7' });
  });

  it('of sagabox has the attributes of sagabox', () => {
    const attributes = {
      'Sagabox.MessageId': text('m-1'),
      'Sagabox.MessageType': text('OrderPlaced'),
      'Sagabox.SentAt': text('2026-01-02T03:04:05Z'),
      'Sagabox.Headers': text('{"tenant":"a"}'),
    };
    const read = readEnvelope(bodyRecord(notification(cloudEvent, attributes)));
    expect(read).toMatchObject({
      id: 'm-1',
      type: 'OrderPlaced',
      body: cloudEvent,
      sentAt: new Date('2026-01-02T03:04:05Z'),
    });
    expect(read.headers.tenant).toBe('a');
  });

  it('of sagabox in the CloudEvents format has the data as its body', () => {
    const attributes = {
      'Sagabox.MessageId': text('m-1'),
      'Sagabox.MessageType': text('OrderPlaced'),
      'content-type': text('application/cloudevents+json'),
    };
    expect(readEnvelope(bodyRecord(notification(cloudEvent, attributes)))).toMatchObject({
      id: 'm-1',
      body: cloudEvent.data,
    });
  });

  it.each([
    ['a CloudEvent', cloudEvent, 'https://shop.test/orders#A-1'],
    ['an EventBridge event', eventBridgeEvent, eventBridgeEvent.id],
  ])('may hold %s', (_case, event, id) => {
    expect(readEnvelope(bodyRecord(notification(event)))).toMatchObject({
      id,
      type: 'OrderPlaced',
      body: { orderId: '1' },
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
  });

  describe('of a topic of another account', () => {
    const TopicArn = 'arn:aws:sns:us-east-1:222233334444:orders';
    const ofOther = (message: unknown, attributes = {}) =>
      bodyRecord({ ...notification(message, attributes), TopicArn });

    it.each([
      ['the id of SNS', {}, {}, '222233334444#orders#sns-1'],
      ['an attribute', {}, { 'Sagabox.MessageId': text('m-1') }, '222233334444#orders#m-1'],
      [
        'a folded attribute',
        {},
        { 'Sagabox.Headers': text('{"Sagabox.MessageId":"m-1"}') },
        '222233334444#orders#m-1',
      ],
      ['a CloudEvent', cloudEvent, {}, '222233334444#orders#https://shop.test/orders%23A-1'],
      [
        'an event of EventBridge',
        {
          ...eventBridgeEvent,
          source: 'sagabox.orders',
          detail: { sagabox: { 'Sagabox.MessageId': 'm-1', 'Sagabox.ReplyTo': 'orders' } },
        },
        {},
        '222233334444#orders#m-1',
      ],
    ])('makes no id of this account by %s', (_case, message, attributes, id) => {
      expect(readEnvelope(ofOther(message, attributes)).id).toBe(id);
    });

    it('keeps the id that it got on its way through an error queue', () => {
      const { messageAttributes } = bodyRecord({}, { 'Sagabox.MessageId': 'redriven' });
      const record = ofOther({}, { 'Sagabox.MessageId': text('m-1') });
      expect(readEnvelope({ ...record, messageAttributes }).id).toBe('redriven');
    });
  });

  it('within a notification is a body', () => {
    const inner = notification({ orderId: '1' });
    expect(readEnvelope(bodyRecord(notification(inner))).body).toEqual(inner);
  });

  it('keeps the id that it got on its way through an error queue', () => {
    const record = bodyRecord(notification({}, { 'Sagabox.MessageId': text('m-1') }), {
      'Sagabox.MessageId': 'redriven',
    });
    expect(readEnvelope(record).id).toBe('redriven');
  });

  it.each([
    ['another type', { Type: 'SubscriptionConfirmation' }],
    ['no id', { MessageId: undefined }],
    ['an empty id', { MessageId: '' }],
    ['a number as its id', { MessageId: 7 }],
    ['no topic', { TopicArn: undefined }],
    ['an object as its message', { Message: {} }],
    ['a number as its timestamp', { Timestamp: 7 }],
    ['a string as its attributes', { MessageAttributes: 'text' }],
    ['null as its attributes', { MessageAttributes: null }],
  ])('with %s is none: its body is that of a plain message', (_case, fields) => {
    const body = JSON.parse(JSON.stringify({ ...notification({}), ...fields }));
    expect(readEnvelope(bodyRecord(body))).toMatchObject({ id: 'sqs-1', type: '', body });
  });

  it.each(['', 'plain text', '<order/>'])('whose message is %j is refused, by its own id', (message) => {
    const error = refusalOf(() => readEnvelope(bodyRecord(notification(message, { tenant: text('a') }))));
    expect(error).toMatchObject({ code: 'InvalidMessage', facts: { messageId: 'sns-1' } });
    expect(error.cause).toBeInstanceOf(SyntaxError);
  });

  it('keeps an attribute named __proto__ as any other', () => {
    const attributes = JSON.parse('{"__proto__":{"Type":"String","Value":"hostile"}}');
    const { headers } = readEnvelope(bodyRecord(notification({}, attributes)));
    expect(Object.keys(headers)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(headers)).toBeNull();
  });
});
