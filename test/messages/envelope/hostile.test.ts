import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { sqsRecord } from 'sagabox/testing';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { deduplicationIdOf, readEnvelope } from '../../../lib/messages/envelope.ts';
import { bodyRecord, cloudEvent, eventBridgeEvent, notification, text } from '../envelope-records.ts';

const hostileValues: unknown[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'text',
  '\u0000',
  '\uD800',
  '__proto__',
  'x'.repeat(5000),
  [],
  [[]],
  {},
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  cloudEvent,
];

const formats: [string, Record<string, unknown>][] = [
  ['a CloudEvent', { ...cloudEvent, data_base64: 'e30=', datacontenttype: 'application/json', replyto: 'a' }],
  [
    'an EventBridge event',
    {
      ...eventBridgeEvent,
      source: 'sagabox.a',
      detail: { sagabox: { 'Sagabox.MessageId': 'm-1', 'Sagabox.ReplyTo': 'a' } },
    },
  ],
  ['an event in an event', { ...eventBridgeEvent, detail: cloudEvent }],
  ['a notification', notification(eventBridgeEvent, { tenant: text('a') })],
];

/** A message that has all its parts, or a refusal; undefined for the latter. */
function readOrRefuse(rawBody: string) {
  try {
    return readEnvelope(sqsRecord({ rawBody }));
  } catch (error) {
    if (error instanceof SagaboxError && error.code === 'InvalidMessage') return undefined;
    throw error;
  }
}

describe('a hostile body', () => {
  it.each(formats)(
    'that is %s with any value in any place is a whole message, or an invalid one',
    (_case, body) => {
      const places = Object.keys(body);
      const outcomes = places.flatMap((place) =>
        hostileValues.map((value) => readOrRefuse(JSON.stringify({ ...body, [place]: value }))),
      );
      expect(outcomes).toHaveLength(places.length * hostileValues.length);
      for (const message of outcomes) {
        if (message === undefined) continue;
        expect(message.id).not.toBe('');
        expect(typeof message.type).toBe('string');
        expect(message.sentAt.getTime()).not.toBeNaN();
        expect(Object.getPrototypeOf(message.headers)).toBeNull();
        expect(Object.values(message.headers).every((value) => typeof value === 'string')).toBe(true);
      }
      expect('polluted' in {}).toBe(false);
    },
  );

  it.each(formats)('that is %s under __proto__ is that of a plain message', (_case, body) => {
    const message = readOrRefuse(`{"__proto__":${JSON.stringify(body)}}`);
    expect(message).toMatchObject({ type: '', id: message?.record.messageId });
    expect('specversion' in {}).toBe(false);
  });

  it.each<[string, (many: object) => SQSRecord]>([
    [
      'its CloudEvent has 100004 attributes',
      (many) => bodyRecord({ ...cloudEvent, data: undefined, time: undefined, ...many }),
    ],
    [
      "the 'MessageAttributes' of its notification has 100000 attributes",
      (many) => bodyRecord(notification('1', { ...many })),
    ],
    [
      "'Sagabox.Headers' has 100000 attributes",
      (many) => bodyRecord({}, { 'Sagabox.Headers': JSON.stringify(many) }),
    ],
    [
      "'detail.sagabox' has 100002 attributes",
      (many) =>
        bodyRecord({
          ...eventBridgeEvent,
          source: 'sagabox.a',
          detail: { sagabox: { ...many, 'Sagabox.MessageId': 'm-1', 'Sagabox.ReplyTo': 'a' } },
        }),
    ],
  ])('with more headers than any message needs is refused: %s', (problem, recordOf) => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, 'x']));
    expect(() => readEnvelope(recordOf(many))).toThrow(
      expect.objectContaining({
        code: 'InvalidMessage',
        message: expect.stringContaining(`${problem}, over 256. Put into its body what is no header`),
      }) as never,
    );
    expect(deduplicationIdOf(recordOf(many))).toBe('sqs-1');
  });

  it('may be nested as deep as a message is long', () => {
    const depth = 500_000;
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const { data: _data, ...withoutData } = cloudEvent;
    const inEvent = `${JSON.stringify(withoutData).slice(0, -1)},"data":${nested}}`;
    expect(readOrRefuse(nested)?.type).toBe('');
    expect(readOrRefuse(inEvent)?.type).toBe('OrderPlaced');
    expect(readOrRefuse(nested.slice(1))).toBeUndefined();
  });
});
