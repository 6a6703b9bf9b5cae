import fc from 'fast-check';
import { sqsRecord } from 'sagabox/testing';
import { damaged, damagedString } from './damage.ts';
import { deepStrings, hostileJson, hostileString, inheritedName, ownProperties } from './hostile-values.ts';

/** A record of an event: anything, but with an id that can be returned. */
export interface AnyRecord {
  readonly messageId: string;
  readonly [field: string]: unknown;
}

const goodBody = { counter: 'c-1', note: 'n' };
const ownAttributes = {
  'Sagabox.MessageId': 'own-1',
  'Sagabox.MessageType': 'Counted',
  'Sagabox.ConversationId': 'conversation-1',
  'Sagabox.CausationId': 'cause-1',
  'Sagabox.Saga': 'Hostile',
  'Sagabox.CorrelationId': 'c-1',
  'Sagabox.ReplyTo': 'billing',
  'Sagabox.SentAt': '2026-01-01T00:00:00.000Z',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

const cloudEvent = {
  specversion: '1.0',
  id: 'e-1',
  source: 'urn:sagabox:endpoint:orders',
  type: 'Counted',
  time: '2026-01-01T00:00:00Z',
  datacontenttype: 'application/json',
  conversationid: 'conversation-1',
  replyto: 'billing',
  sagaboxtimeout: 'true',
  sagaboxclaimcheck: 'claims/orders/m/x.json',
  data: goodBody,
};
const { data: _data, ...cloudEventWithoutData } = cloudEvent;
const binaryCloudEvent = { ...cloudEventWithoutData, data_base64: 'eyJjb3VudGVyIjoiYy0xIn0=' };

const eventBridgeEvent = {
  version: '0',
  id: '8f2d4a5e-9c1b-4a75-8b0a-2a6f3a1b9d10',
  'detail-type': 'Counted',
  source: 'orders',
  account: '123456789012',
  time: '2026-01-01T00:00:00Z',
  region: 'us-east-1',
  resources: [],
  detail: { ...goodBody, sagabox: ownAttributes },
};

const notification = {
  Type: 'Notification',
  MessageId: '2b1c9f10-0f36-5d3c-8a15-c6a2a6a6f0c1',
  TopicArn: 'arn:aws:sns:us-east-1:123456789012:orders',
  Message: JSON.stringify(goodBody),
  Timestamp: '2026-01-01T00:00:00.000Z',
  MessageAttributes: { 'Sagabox.MessageType': { Type: 'String', Value: 'Counted' } },
};
const wrappedEvent = { ...notification, Message: JSON.stringify(cloudEvent), MessageAttributes: {} };

const anyBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: damagedString(goodBody) },
  { weight: 3, arbitrary: fc.constantFrom(cloudEvent, binaryCloudEvent).chain(damagedString) },
  { weight: 3, arbitrary: damagedString(eventBridgeEvent) },
  { weight: 3, arbitrary: fc.constantFrom(notification, wrappedEvent).chain(damagedString) },
  { weight: 1, arbitrary: fc.constant(JSON.stringify(goodBody)) },
  { weight: 1, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: hostileString },
  { weight: 1, arbitrary: fc.constantFrom(...deepStrings, '', '1e999', `"${'x'.repeat(300_000)}"`) },
);

const attribute: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileString.map(stringAttribute) },
  { weight: 1, arbitrary: fc.constant({ binaryValue: 'AAEC', dataType: 'Binary' }) },
  { weight: 1, arbitrary: fc.constant({ stringValue: '1e5', dataType: 'Number.custom' }) },
  { weight: 1, arbitrary: fc.constant({ stringValue: 'z'.repeat(20_000), dataType: 'String' }) },
  { weight: 2, arbitrary: damaged({ stringValue: 'text', dataType: 'String', stringListValues: [] }) },
  { weight: 1, arbitrary: hostileJson },
);

const foldedHeaders = fc.oneof(damagedString(ownAttributes), hostileString).map(stringAttribute);

const claimKey = fc
  .oneof(
    hostileString,
    fc.constantFrom(
      `claims/orders/m-1/${'0'.repeat(64)}.json`,
      '../../etc/passwd',
      's3://other-bucket/key',
      `sagabox/%2e%2e/m-1/${'0'.repeat(64)}.json`,
    ),
  )
  .map(stringAttribute);

const ownName = fc.constantFrom(...Object.keys(ownAttributes), 'Sagabox.Timeout', 'content-type');
const contentTypes = fc
  .constantFrom('application/cloudevents+json', 'APPLICATION/CLOUDEVENTS+JSON; x', 'text/plain', '')
  .map(stringAttribute);

const anyAttributes: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(
        fc.boolean(),
        fc.array(fc.tuple(fc.oneof(ownName, inheritedName, hostileString), attribute), { maxLength: 6 }),
        fc.option(foldedHeaders, { freq: 5 }),
        fc.option(claimKey, { freq: 8 }),
        fc.option(contentTypes, { freq: 8 }),
      )
      .map(([typed, others, folded, claim, contentType]) =>
        ownProperties([
          ...(typed ? [['Sagabox.MessageType', stringAttribute('Counted')] as const] : []),
          ...others,
          ...(folded ? [['Sagabox.Headers', folded] as const] : []),
          ...(claim ? [['Sagabox.ClaimCheck', claim] as const] : []),
          ...(contentType ? [['content-type', contentType] as const] : []),
        ]),
      ),
  },
  { weight: 1, arbitrary: hostileJson },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

function stringAttribute(stringValue: string) {
  return { stringValue, dataType: 'String' };
}

const systemAttributes: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ ApproximateReceiveCount: '1', SentTimestamp: '1767225600000' }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.oneof(fc.constantFrom('NaN', '', '-1', '0', '1e400', '9', '1.5'), hostileJson),
        fc.oneof(hostileString, hostileJson),
        fc.option(fc.oneof(hostileString, hostileJson), { nil: undefined }),
      )
      .map(([ApproximateReceiveCount, SentTimestamp, MessageGroupId]) => ({
        ApproximateReceiveCount,
        SentTimestamp,
        ...(MessageGroupId === undefined ? {} : { MessageGroupId }),
      })),
  },
  { weight: 1, arbitrary: fc.oneof(hostileJson, fc.constant(undefined)) },
);

const anySource: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('arn:aws:sqs:us-east-1:123456789012:hostile') },
  { weight: 2, arbitrary: fc.constant('arn:aws:sqs:us-east-1:123456789012:hostile.fifo') },
  { weight: 1, arbitrary: fc.constantFrom('arn:aws:kinesis:us-east-1:1:stream/s', 'hostile', ':', '.fifo') },
  { weight: 1, arbitrary: fc.oneof(hostileString, hostileJson, fc.constant(undefined)) },
);

/** A record that may be wrong in each of its fields. */
export const hostileRecord: fc.Arbitrary<AnyRecord> = fc
  .record({
    sqsMessageId: fc.oneof(
      { weight: 5, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: hostileString.filter((id) => id !== '') },
    ),
    body: fc.oneof({ weight: 15, arbitrary: anyBody }, { weight: 1, arbitrary: hostileJson }),
    messageAttributes: anyAttributes,
    attributes: systemAttributes,
    eventSourceARN: anySource,
    eventSource: fc.oneof(
      { weight: 20, arbitrary: fc.constant<unknown>('aws:sqs') },
      { weight: 1, arbitrary: hostileJson },
    ),
    receiptHandle: fc.oneof(
      { weight: 5, arbitrary: fc.constant<unknown>('handle') },
      { weight: 1, arbitrary: fc.oneof(hostileJson, fc.constant(undefined)) },
    ),
  })
  .map(({ sqsMessageId, ...fields }) => asJson({ ...sqsRecord({ sqsMessageId }), ...fields }));

/** As Lambda's own parser makes it: what is undefined is not there, and nothing is shared. */
function asJson(record: object): AnyRecord {
  return JSON.parse(JSON.stringify(record));
}
