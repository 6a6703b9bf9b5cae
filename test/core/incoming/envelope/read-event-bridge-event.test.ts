import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from '../../../../lib/core/incoming/envelope.ts';
import { eventDetail, eventSource } from '../../../../lib/core/wire-format/event-detail.ts';
import { refusalOf } from '../../outgoing/unit-of-work-of.ts';
import { bodyRecord, cloudEvent, eventBridgeEvent } from '../envelope-records.ts';

const withDetail = (detail: unknown, source = 'shop') => bodyRecord({ ...eventBridgeEvent, source, detail });

/** Under the source of the endpoint 'orders'. */
const ours = (detail: unknown) => withDetail(detail, 'sagabox.orders');
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

  it('does not look into the body of a message of sagabox', () => {
    expect(readEnvelope(ours({ ...cloudEvent, sagabox: ownHeaders }))).toMatchObject({
      id: 'm-1',
      body: cloudEvent,
    });
  });

  it('takes the time of the event for a CloudEvent that has none', () => {
    const { time: _time, ...timeless } = cloudEvent;
    expect(readEnvelope(withDetail(timeless))).toMatchObject({
      id: 'https://shop.test/orders#A-1',
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
    ['sagabox.billing', eventBridgeEvent.id, { sagaboxclaimcheck: 'claims/a' }],
    ['shop', eventBridgeEvent.id, { sagaboxclaimcheck: 'claims/a' }],
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
