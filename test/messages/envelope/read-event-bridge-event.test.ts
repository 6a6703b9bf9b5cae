import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { eventDetail, eventSource } from '../../../lib/messages/wire-format/event-detail.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';
import { bodyRecord, cloudEvent, eventBridgeEvent } from '../envelope-records.ts';

const withDetail = (detail: unknown, source = 'shop') => bodyRecord({ ...eventBridgeEvent, source, detail });

/** Under the source of the endpoint 'orders'. */
const ours = (detail: unknown) => withDetail(detail, 'sagabox.orders');
const ofOtherAccount = (event: object) =>
  bodyRecord({ ...eventBridgeEvent, ...event, account: '222233334444' });
const ownHeaders = { 'Sagabox.MessageId': 'm-1', 'Sagabox.ReplyTo': 'orders' };

describe('an EventBridge event', () => {
  it('gives its id, detail-type, detail and time', () => {
    const read = readEnvelope(bodyRecord(eventBridgeEvent));
    expect(read).toMatchObject({
      id: eventBridgeEvent.id,
      type: 'OrderPlaced',
      body: { orderId: '1' },
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
    expect({ ...read.headers }).toEqual({});
  });

  it.each([
    ['version 1', { version: '1' }],
    ['a number as its version', { version: 0 }],
    ['an empty id', { id: '' }],
    ['a number as its id', { id: 7 }],
    ['no detail-type', { 'detail-type': undefined }],
    ['an object as its detail-type', { 'detail-type': {} }],
    ['no source', { source: undefined }],
    ['a number as its account', { account: 111122223333 }],
    ['no time', { time: undefined }],
    ['a string as its detail', { detail: '{}' }],
    ['an array as its detail', { detail: [] }],
    ['null as its detail', { detail: null }],
  ])('with %s is none: its body is that of a plain message', (_case, fields) => {
    const body = JSON.parse(JSON.stringify({ ...eventBridgeEvent, ...fields }));
    expect(readEnvelope(bodyRecord(body))).toMatchObject({ id: 'sqs-1', type: '', body });
  });

  const placed = { id: 'm-1', type: 'OrderPlaced', body: { orderId: '1' } };

  it('of sagabox is read back as it is written', () => {
    const sent = {
      ...placed,
      destination: 'bus',
      headers: { 'Sagabox.ReplyTo': 'orders', 'Sagabox.SentAt': '2026-02-03T04:05:06.789Z', tenant: 'a' },
    };
    const read = readEnvelope(ours(eventDetail(sent)));
    expect(read).toMatchObject({ ...placed, sentAt: new Date('2026-02-03T04:05:06.789Z') });
    expect({ ...read.headers }).toEqual({
      ...sent.headers,
      'Sagabox.MessageId': 'm-1',
      'Sagabox.MessageType': 'OrderPlaced',
    });
  });

  it('of sagabox in the CloudEvents format is read back likewise', () => {
    const expected = { ...placed, headers: { 'Sagabox.ReplyTo': 'orders' } };
    const sent = { ...expected, destination: 'bus', format: 'cloudevents' as const };
    expect(readEnvelope(ours(eventDetail(sent)))).toMatchObject(expected);
  });

  it('takes its detail-type when its headers name no type', () => {
    const sagabox = { ...ownHeaders, empty: '' };
    const read = readEnvelope(ours({ orderId: '1', sagabox }));
    expect(read).toMatchObject({ id: 'm-1', type: 'OrderPlaced' });
    expect({ ...read.headers }).toEqual(ownHeaders);
  });

  it.each([
    ['of sagabox', 'sagabox.orders', { sagabox: { ...ownHeaders, 'Sagabox.MessageType': 'ChargeCard' } }],
    [
      'of sagabox in the CloudEvents format',
      'sagabox.orders',
      { ...cloudEvent, source: 'urn:sagabox:endpoint:orders', type: 'ChargeCard' },
    ],
    ['with a CloudEvent', 'shop', { ...cloudEvent, type: 'ChargeCard' }],
  ])('%s has its detail-type as its type, by which rules select', (_case, source, detail) => {
    expect(readEnvelope(withDetail(detail, source)).type).toBe('OrderPlaced');
  });

  it('with a CloudEvent has an id of account, source, and the source and the id of the CloudEvent', () => {
    expect(readEnvelope(withDetail({ ...cloudEvent, source: '/a#b', id: '100%' })).id).toBe(
      '123456789012#shop#/a%23b#100%25',
    );
  });

  it('with a CloudEvent that its producer puts again is the same message', () => {
    const put = (id: string) => bodyRecord({ ...eventBridgeEvent, id, detail: cloudEvent });
    expect(readEnvelope(put('e-2'))).toMatchObject({
      id: readEnvelope(put('e-1')).id,
      body: cloudEvent.data,
    });
  });

  it.each([
    ['another source', { source: 'partner' }],
    ['another account', { account: '222233334444' }],
  ])('of %s takes the id of no event by its CloudEvent', (_case, fields) => {
    const event = { ...eventBridgeEvent, detail: cloudEvent };
    const others = readEnvelope(bodyRecord({ ...event, ...fields }));
    expect(others.id).not.toBe(readEnvelope(bodyRecord(event)).id);
    expect(others.id).not.toBe(readEnvelope(bodyRecord(cloudEvent)).id);
  });

  it.each([
    ['as its detail is read', eventBridgeEvent, eventBridgeEvent.id],
    [
      'of sagabox',
      { source: 'sagabox.orders', detail: { sagabox: ownHeaders } },
      '222233334444#sagabox.orders#m-1',
    ],
    [
      'of sagabox in the CloudEvents format',
      {
        source: 'sagabox.orders',
        detail: { ...cloudEvent, source: 'urn:sagabox:endpoint:orders', id: 'm-1' },
      },
      '222233334444#sagabox.orders#m-1',
    ],
    ['with a CloudEvent', { detail: cloudEvent }, '222233334444#shop#https://shop.test/orders#A-1'],
  ])('of another account, %s, has no id of this account', (_case, event, id) => {
    expect(readEnvelope(ofOtherAccount(event)).id).toBe(id);
  });

  it('of another account keeps its headers, but is known by the id that it got on its way through an error queue', () => {
    const record = ofOtherAccount({
      source: 'sagabox.orders',
      detail: { sagabox: { ...ownHeaders, tenant: 'a' } },
    });
    expect({ ...readEnvelope(record).headers }).toEqual({ ...ownHeaders, tenant: 'a' });
    const { messageAttributes } = bodyRecord({}, { 'Sagabox.MessageId': 'redriven' });
    expect(readEnvelope({ ...record, messageAttributes }).id).toBe('redriven');
  });

  it('is of this account where its record tells none', () => {
    const { eventSourceARN: _arn, ...record } = ofOtherAccount({
      source: 'sagabox.orders',
      detail: { sagabox: ownHeaders },
    });
    expect(readEnvelope(record as SQSRecord).id).toBe('m-1');
  });

  it('does not look into the body of a message of sagabox', () => {
    expect(readEnvelope(ours({ ...cloudEvent, sagabox: ownHeaders }))).toMatchObject({
      id: 'm-1',
      body: cloudEvent,
    });
  });

  it('takes the time of the event for a CloudEvent that has none', () => {
    const { time: _time, ...timeless } = cloudEvent;
    expect(readEnvelope(withDetail(timeless))).toMatchObject({
      id: '123456789012#shop#https://shop.test/orders#A-1',
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
  });

  it.each([['text'], [7], [null], [{}], [[]], [{ 'Sagabox.MessageId': 7 }], [{ 'Sagabox.MessageId': '' }]])(
    "leaves a property 'sagabox' that is %j to its producer",
    (sagabox) => {
      expect(readEnvelope(ours({ sagabox }))).toMatchObject({
        id: eventBridgeEvent.id,
        body: { sagabox },
      });
    },
  );

  it.each([[7], [null], [{}]])('is refused when one of its headers is %j', (tenant) => {
    const sagabox = { ...ownHeaders, tenant };
    const error = refusalOf(() => readEnvelope(ours({ sagabox })));
    expect(error.code).toBe('InvalidMessage');
    expect(error.message).toContain("'detail.sagabox' is not a JSON object of strings");
  });

  it('keeps a property __proto__ of its detail as any other', () => {
    const detail = JSON.parse(`{"__proto__":{"polluted":true},"sagabox":${JSON.stringify(ownHeaders)}}`);
    const body = readEnvelope(ours(detail)).body as object;
    expect(Object.keys(body)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it.each(['shop', 'sagabox.billing', 'sagabox', 'sagabox.', 'aws.s3', 'Sagabox.orders'])(
    'of the source %s is none of the endpoint orders, whatever its detail says: it has its own id',
    (source) => {
      const read = readEnvelope(withDetail({ orderId: '1', sagabox: ownHeaders }, source));
      expect(read).toMatchObject({ id: eventBridgeEvent.id, body: { orderId: '1', sagabox: ownHeaders } });
      expect({ ...read.headers }).toEqual({});
    },
  );

  it('that names no endpoint is none of sagabox', () => {
    const sagabox = { 'Sagabox.MessageId': 'm-1' };
    expect(readEnvelope(ours({ sagabox })).id).toBe(eventBridgeEvent.id);
    expect(readEnvelope(withDetail({ sagabox }, 'sagabox.')).id).toBe(eventBridgeEvent.id);
  });

  it.each([
    ['sagabox.orders', 'm-1', { 'Sagabox.ClaimCheck': 'claims/a' }],
    [
      'sagabox.billing',
      '123456789012#sagabox.billing#urn:sagabox:endpoint:orders#m-1',
      { sagaboxclaimcheck: 'claims/a' },
    ],
    ['shop', '123456789012#shop#urn:sagabox:endpoint:orders#m-1', { sagaboxclaimcheck: 'claims/a' }],
  ])('of the source %s with a CloudEvent of the endpoint orders has the id %s', (source, id, headers) => {
    const ofOrders = { id: 'm-1', source: 'urn:sagabox:endpoint:orders', sagaboxclaimcheck: 'claims/a' };
    const read = readEnvelope(withDetail({ ...cloudEvent, ...ofOrders }, source));
    expect(read).toMatchObject({ id, type: 'OrderPlaced', body: cloudEvent.data });
    expect({ ...read.headers }).toEqual(headers);
  });

  it('of an endpoint whose name a URI has to escape is read back', () => {
    const headers = { 'Sagabox.ReplyTo': 'orders (EU)/ä' };
    const sent = { id: 'm-1', destination: 'bus', type: 'OrderPlaced', body: {}, headers };
    for (const format of [{}, { format: 'cloudevents' as const }]) {
      const detail = eventDetail({ ...sent, ...format });
      expect(readEnvelope(withDetail(detail, eventSource('orders (EU)/ä'))).id).toBe('m-1');
    }
  });
});
