import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { cloudEvent as write } from '../../../lib/messages/wire-format/cloud-event.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';
import { bodyRecord, cloudEvent } from '../envelope-records.ts';

const contentType = { 'content-type': 'application/cloudevents+json; charset=UTF-8' };
const base64 = (value: string) => Buffer.from(value).toString('base64');

describe('a CloudEvent', () => {
  it('gives its type, data and time, and an id of source and id', () => {
    expect(readEnvelope(bodyRecord(cloudEvent))).toMatchObject({
      id: 'https://shop.test/orders#A-1',
      type: 'OrderPlaced',
      body: { orderId: '1' },
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
  });

  it.each([
    ['no attributes', {}],
    ['a content-type alone', contentType],
  ])(
    'that names an endpoint of sagabox as its source, with %s, has not the id of a message of it',
    (_case, attributes) => {
      const event = { ...cloudEvent, source: 'urn:sagabox:endpoint:orders' };
      expect(readEnvelope(bodyRecord(event, attributes)).id).toBe('urn:sagabox:endpoint:orders#A-1');
    },
  );

  describe.each(['https://shop.test/orders', 'urn:sagabox:endpoint:orders'])(
    'of the source %s, in a body alone,',
    (source) => {
      it.each(['timeout', 'claimcheck', 'replyto', 'sagaboxtimeout', 'sagaboxclaimcheck'])(
        'steers nothing by an attribute named %s',
        (name) => {
          for (const attributes of [{}, contentType]) {
            const { headers } = readEnvelope(
              bodyRecord({ ...cloudEvent, source, [name]: 'true' }, attributes),
            );
            expect({ ...headers }).toEqual({ ...attributes, [name]: 'true' });
          }
        },
      );
    },
  );

  it('steers nothing where its sender set the id alone', () => {
    const attributes = { 'Sagabox.MessageId': 'm-1' };
    const event = {
      ...cloudEvent,
      source: 'urn:sagabox:endpoint:orders',
      replyto: 'billing',
      sagaboxtimeout: 'true',
    };
    const { headers, id } = readEnvelope(bodyRecord(event, attributes));
    expect({ ...headers }).toEqual({ ...attributes, replyto: 'billing', sagaboxtimeout: 'true' });
    expect(id).toBe('m-1');
  });

  it('has an id of its own for each pair of source and id', () => {
    const idOf = (source: string, id: string) => readEnvelope(bodyRecord({ ...cloudEvent, source, id })).id;
    const pairs = [
      ['/a#b', '1'],
      ['/a%23b', '1'],
      ['/a', 'b#1'],
      ['/a%2523b', '1'],
      ['/a', '#b'],
      ['/a#', 'b'],
      ['/a', 'b%231'],
    ] as const;
    expect(new Set(pairs.map(([source, id]) => idOf(source, id))).size).toBe(pairs.length);
  });

  it('is read back as it is written', () => {
    const headers = {
      'Sagabox.ConversationId': 'c',
      'Sagabox.CausationId': 'd',
      'Sagabox.CorrelationId': 'e',
      'Sagabox.Saga': 'OrderSaga',
      'Sagabox.ReplyTo': 'orders',
      'Sagabox.Timeout': 'true',
      'Sagabox.ClaimCheck': 'claims/orders/m-1/a.json',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tenant: 'a',
      // What every object inherits.
      constructor: 'b',
      'Sagabox.SagaVersion': '7',
    };
    const sentAt = '2026-02-03T04:05:06.789Z';
    const sent = {
      id: 'm-1',
      destination: 'billing',
      type: 'ChargeCard',
      body: { amount: 7 },
      headers: { ...headers, 'Sagabox.SentAt': sentAt },
    };
    const attributes = { ...contentType, 'Sagabox.MessageId': 'm-1', 'Sagabox.MessageType': 'ChargeCard' };
    const read = readEnvelope(bodyRecord(write(sent), attributes));
    expect(read).toMatchObject({
      id: 'm-1',
      type: 'ChargeCard',
      body: { amount: 7 },
      sentAt: new Date(sentAt),
    });
    expect({ ...read.headers }).toEqual({ ...headers, ...attributes });
  });

  it('gives its extension attributes as headers, ours under our names, and no other property', () => {
    const event = {
      ...cloudEvent,
      subject: 's',
      dataschema: 'https://shop.test/schema',
      datacontenttype: 'application/json',
      conversationid: 'c-1',
      tenant: 'a',
      priority: 3,
      urgent: false,
      nothing: null,
      empty: '',
      nested: { text: 'a' },
      'Sagabox.MessageId': 'forged',
      'Sagabox.MessageType': 'Forged',
      __proto__x: 'x',
    };
    const { headers, id, type } = readEnvelope(bodyRecord(event));
    expect({ ...headers }).toEqual({
      'Sagabox.ConversationId': 'c-1',
      tenant: 'a',
      priority: '3',
      urgent: 'false',
    });
    expect({ id, type }).toEqual({ id: 'https://shop.test/orders#A-1', type: 'OrderPlaced' });
  });

  it('gives way to message attributes', () => {
    const { headers, id } = readEnvelope(
      bodyRecord({ ...cloudEvent, tenant: 'a' }, { tenant: 'b', 'Sagabox.MessageId': 'm-1' }),
    );
    expect({ ...headers }).toEqual({ tenant: 'b', 'Sagabox.MessageId': 'm-1' });
    expect(id).toBe('m-1');
  });

  it.each([[undefined], [null], ['yesterday'], [7], [{}]])('with the time %j has that of SQS', (time) => {
    expect(readEnvelope(bodyRecord({ ...cloudEvent, time })).sentAt).toEqual(
      new Date('2026-01-01T00:00:00Z'),
    );
  });

  it.each([
    ['no specversion', { specversion: undefined }],
    ['specversion 0.3', { specversion: '0.3' }],
    ['a number as its specversion', { specversion: 1 }],
    ['no id', { id: undefined }],
    ['an empty id', { id: '' }],
    ['a number as its id', { id: 7 }],
    ['an empty source', { source: '' }],
    ['an object as its source', { source: {} }],
    ['null as its type', { type: null }],
    ['an empty type', { type: '' }],
  ])('with %s is none: its body is that of a plain message', (_case, fields) => {
    const body = JSON.parse(JSON.stringify({ ...cloudEvent, ...fields }));
    expect(readEnvelope(bodyRecord(body), { defaultMessageType: 'Other' })).toMatchObject({
      id: 'sqs-1',
      type: 'Other',
      body,
    });
    const error = refusalOf(() => readEnvelope(bodyRecord(body, contentType)));
    expect(error).toMatchObject({ code: 'InvalidMessage', facts: { messageId: 'sqs-1' } });
    expect(error.message).toContain('its content-type says CloudEvents 1.0');
  });
});

describe('the data of a CloudEvent', () => {
  const { data: _data, ...withoutData } = cloudEvent;

  it.each([[null], [0], [false], [''], ['text'], [[1]], [{}]])('is %j as it stands', (data) => {
    expect(readEnvelope(bodyRecord({ ...cloudEvent, data })).body).toEqual(data);
  });

  it('is null when there is none', () => {
    expect(readEnvelope(bodyRecord(withoutData)).body).toBeNull();
  });

  it.each([
    [undefined],
    [null],
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['Application/Vnd.Shop+JSON'],
    ['text/json'],
  ])('in base64, of type %j, is JSON', (datacontenttype) => {
    const event = { ...withoutData, datacontenttype, data_base64: base64('{"city":"Zürich"}') };
    expect(readEnvelope(bodyRecord(event)).body).toEqual({ city: 'Zürich' });
  });

  it.each(['text/plain', 'application/jsonlines', 'text/xml; profile=json', 'text/xml; profile=a/json', ''])(
    'in base64, of type %j, stays base64',
    (datacontenttype) => {
      const event = { ...withoutData, datacontenttype, data_base64: base64('{}') };
      expect(readEnvelope(bodyRecord(event)).body).toBe(base64('{}'));
    },
  );

  it.each([[{ data: { a: 1 }, data_base64: null }], [{ data: null, data_base64: base64('{"a":1}') }]])(
    'is what is not null: %j',
    (fields) => {
      expect(readEnvelope(bodyRecord({ ...withoutData, ...fields })).body).toEqual({ a: 1 });
    },
  );

  it.each([
    ['is beside data', { data: {}, data_base64: base64('{}') }, "there is 'data' beside it"],
    ['is a number', { data_base64: 7 }, 'it is not a string'],
    ['is not base64', { data_base64: '{"a":1}' }, 'it is not base64'],
    ['lacks its padding', { data_base64: 'e30' }, 'it is not base64'],
    ['is not JSON', { data_base64: base64('<order/>') }, 'it is not JSON'],
    ['is empty', { data_base64: '' }, 'it is not JSON'],
    ['is not UTF-8', { data_base64: Buffer.from([0x22, 0xff, 0x22]).toString('base64') }, 'it is not JSON'],
  ])('in base64 that %s is refused, by the id of the event', (_case, fields, problem) => {
    const error = refusalOf(() => readEnvelope(bodyRecord({ ...withoutData, ...fields })));
    expect(error).toMatchObject({
      code: 'InvalidMessage',
      facts: { messageId: 'https://shop.test/orders#A-1', messageType: 'OrderPlaced' },
    });
    expect(error.message).toContain(`the 'data_base64' of its CloudEvent cannot be read: ${problem}`);
  });
});

describe('a message of sagabox', () => {
  const own = { 'Sagabox.MessageType': 'ChargeCard', 'Sagabox.MessageId': 'm-1' };

  it('in the CloudEvents format has the data as its body, and its attributes besides', () => {
    const read = readEnvelope(bodyRecord({ ...cloudEvent, tenant: 'a' }, { ...own, ...contentType }));
    expect(read).toMatchObject({ id: 'm-1', type: 'ChargeCard', body: cloudEvent.data });
    expect({ ...read.headers }).toEqual({ ...own, ...contentType, tenant: 'a' });
  });

  it.each([
    [{}],
    [{ 'content-type': 'application/json' }],
    [{ 'content-type': 'application/cloudevents-batch+json' }],
  ])('with the attributes %j keeps its body, whatever that looks like', (attributes) => {
    expect(readEnvelope(bodyRecord(cloudEvent, { ...own, ...attributes })).body).toEqual(cloudEvent);
  });

  it.each([[{}], [[cloudEvent]], ['text'], [null]])(
    'in that format is refused when its body is %j',
    (body) => {
      const error = refusalOf(() => readEnvelope(bodyRecord(body, { ...own, ...contentType })));
      expect(error).toMatchObject({
        code: 'InvalidMessage',
        facts: { messageId: 'm-1', messageType: 'ChargeCard' },
      });
    },
  );
});
