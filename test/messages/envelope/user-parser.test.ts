import { describe, expect, it } from '@jest/globals';
import { UnrecoverableError } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { type ParsedMessage, type ParseMessage, readEnvelope } from '../../../lib/messages/envelope.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';
import { bodyRecord, cloudEvent, notification } from '../envelope-records.ts';

const noMessage = 'what its parser returned is no message:';
const noBody = `${noMessage} it has no 'body'`;
const noId = `${noMessage} its 'id' is not a string, or empty`;
const noHeaders = `${noMessage} its 'headers' are not an object of strings`;
const noDate = `${noMessage} its 'sentAt' is not a valid date`;
const xml = sqsRecord({ rawBody: '<order id="1"/>', headers: { tenant: 'a' }, sqsMessageId: 'sqs-1' });

describe("a parser of the user's own", () => {
  it('gets the record, and tells all there is of the message', () => {
    const parse: ParseMessage = ({ body }) => ({
      id: 'order-1',
      type: 'OrderPlaced',
      body: { xml: body },
      headers: { tenant: 'b', region: 'c' },
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
    const read = readEnvelope(xml, { parse });
    expect(read).toMatchObject({
      id: 'order-1',
      type: 'OrderPlaced',
      body: { xml: '<order id="1"/>' },
      sentAt: new Date('2026-02-03T04:05:06Z'),
      record: xml,
    });
    expect({ ...read.headers }).toEqual({ tenant: 'b', region: 'c' });
    expect(Object.getPrototypeOf(read.headers)).toBeNull();
  });

  it.each([
    ['{"n":9007199254740993}', 'refused'],
    ['{"n":1234567890123456789,"text":"1234567890123456789"}', 'refused'],
    ['{"n":9007199254740992,"text":"9007199254740992"}', 'taken'],
    ['{"n":42}', 'taken'],
  ])(
    'has an id that is made of a number of the body as JavaScript reads it: of %s it is %s',
    (rawBody, outcome) => {
      const parse: ParseMessage = ({ body }) => ({ id: `n-${JSON.parse(body).n}`, body: {} });
      const read = () => readEnvelope(sqsRecord({ rawBody }), { parse });
      if (outcome === 'taken') expect(read().id).toMatch(/^n-\d+$/);
      else
        expect(refusalOf(read)).toMatchObject({
          code: 'InvalidMessage',
          facts: { issues: [expect.stringContaining("its 'id' is made of body.n, ")] },
        });
    },
  );

  it.each([
    [{}],
    [{ type: '' }],
    [{ id: undefined, type: undefined, headers: undefined, sentAt: undefined }],
  ])('leaves the rest, with %j, to what the record tells', (fields) => {
    const parse = () => ({ body: null, ...fields }) as unknown as ParsedMessage;
    const read = readEnvelope(xml, { parse, defaultMessageType: 'OrderPlaced' });
    expect(read).toMatchObject({
      id: 'sqs-1',
      type: 'OrderPlaced',
      body: null,
      sentAt: new Date('2026-01-01T00:00:00Z'),
    });
    expect({ ...read.headers }).toEqual({ tenant: 'a' });
  });

  it('has the rest filled in from what SNS wraps around a message that only the parser can read', () => {
    const wrapped = bodyRecord(notification('<order/>', { tenant: { Type: 'String', Value: 'a' } }));
    expect(readEnvelope(wrapped, { parse: () => ({ type: 'OrderPlaced', body: {} }) })).toMatchObject({
      id: 'sns-1',
      type: 'OrderPlaced',
      headers: { tenant: 'a' },
      sentAt: new Date('2026-02-03T04:05:06.789Z'),
    });
  });

  it('has the rest filled in from the attributes when no format fits', () => {
    const broken = bodyRecord(cloudEvent, {
      'Sagabox.MessageId': 'm-1',
      'Sagabox.MessageType': 'OrderPlaced',
      'Sagabox.SentAt': '2026-02-03T04:05:06Z',
      'Sagabox.Headers': 'not JSON',
    });
    expect(readEnvelope(broken, { parse: () => ({ body: {} }) })).toMatchObject({
      id: 'm-1',
      type: 'OrderPlaced',
      body: {},
      sentAt: new Date('2026-02-03T04:05:06Z'),
    });
  });

  it('wins over the attributes of sagabox', () => {
    const own = sqsRecord({ id: 'm-1', type: 'OrderPlaced' });
    const parse = () => ({ id: 'm-2', type: 'OrderMoved', body: {} });
    expect(readEnvelope(own, { parse })).toMatchObject({ id: 'm-2', type: 'OrderMoved' });
  });

  it('leaves a record to the known formats by returning nothing', () => {
    expect(readEnvelope(bodyRecord(cloudEvent), { parse: () => undefined }).type).toBe('OrderPlaced');
  });

  it('that throws makes the message invalid, with what it threw as the cause', () => {
    const cause = new TypeError('no such element');
    const error = refusalOf(() =>
      readEnvelope(xml, {
        parse: () => {
          throw cause;
        },
        defaultMessageType: 'OrderPlaced',
      }),
    );
    expect(error).toMatchObject({
      code: 'InvalidMessage',
      facts: { messageId: 'sqs-1', messageType: 'OrderPlaced' },
      cause,
    });
    expect(error.message).toContain('no such element');
  });

  it.each([[undefined], [null], [Symbol('s')], [Object.create(null)]])('may throw %p', (thrown) => {
    const parse = () => {
      throw thrown;
    };
    expect(refusalOf(() => readEnvelope(xml, { parse })).code).toBe('InvalidMessage');
  });

  it('that throws an error of sagabox has it passed on', () => {
    const thrown = new UnrecoverableError('a message of a system that is gone');
    const parse = () => {
      throw thrown;
    };
    expect(refusalOf(() => readEnvelope(xml, { parse }))).toBe(thrown);
  });

  it.each<[string, unknown]>([
    [noBody, null],
    [noBody, 'message'],
    [noBody, [{ body: {} }]],
    [noBody, { id: 'm-1' }],
    [`${noMessage} it is a promise`, Promise.resolve({ body: {} })],
    [noId, { id: 1, body: {} }],
    [noId, { id: '', body: {} }],
    ['its id is empty, over 2048 bytes, or not well-formed Unicode', { id: 'x'.repeat(2049), body: {} }],
    [`${noMessage} its 'type' is not a string`, { type: null, body: {} }],
    [noHeaders, { headers: { tenant: 1 }, body: {} }],
    [noHeaders, { headers: { tenant: 'a', region: 1 }, body: {} }],
    [noHeaders, { headers: 'tenant', body: {} }],
    [noDate, { sentAt: '2026-01-01T00:00:00Z', body: {} }],
    [noDate, { sentAt: new Date(Number.NaN), body: {} }],
    [
      'its parser threw an error (no body)',
      {
        get body() {
          throw new Error('no body');
        },
      },
    ],
  ])('that returns what is none makes the message invalid: %s', (issue, returned) => {
    const parse = (() => returned) as unknown as () => ParsedMessage;
    const error = refusalOf(() => readEnvelope(xml, { parse }));
    expect(error).toMatchObject({
      code: 'InvalidMessage',
      facts: { messageId: 'sqs-1', issues: [issue] },
    });
  });

  it('that is asynchronous makes the message invalid; what it rejects with later harms nobody', async () => {
    const parse = (async () => {
      throw new Error('nobody waits for this');
    }) as unknown as ParseMessage;
    expect(refusalOf(() => readEnvelope(xml, { parse })).message).toContain('it is a promise');
    // A rejection that nobody takes would fail the test.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
