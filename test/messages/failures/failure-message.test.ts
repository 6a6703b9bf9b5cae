import { describe, expect, it } from '@jest/globals';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import {
  decodeFailure,
  describeError,
  encodeFailure,
  type FailureFacts,
} from '../../../lib/messages/failures/failure-facts.ts';
import {
  failureAttributes,
  redrivenAttributes,
  withoutFailure,
} from '../../../lib/messages/failures/failure-message.ts';
import {
  stringAttribute,
  type WireAttributes,
  wireAttributesBytes,
} from '../../../lib/messages/wire-format/wire-attributes.ts';

const MIB = 1024 * 1024;
const HEADER = 'Sagabox.Failure';

const facts: FailureFacts = {
  endpoint: 'orders',
  queue: 'https://queues.test/orders',
  failedAt: '2026-01-02T03:04:05.678Z',
  code: 'InvalidMessage',
  message: 'the message',
  stack: 'the stack',
  receiveCount: 3,
};

const numbered = (count: number): WireAttributes =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`h${index}`, stringAttribute(`v${index}`)]),
  );

const failureOf = (attributes: WireAttributes | undefined) =>
  decodeFailure(attributes?.[HEADER]?.stringValue);

describe('an error', () => {
  it('whose name is as long as a message leaves room for the rest', () => {
    const error = Object.assign(new Error('refused'), { name: 'x'.repeat(MIB) });
    expect(describeError(error)).toMatchObject({ code: 'x'.repeat(256), message: 'refused' });
  });
});

describe('the attributes of a failed message', () => {
  it('are its own, its id, and what went wrong', () => {
    const attributes = { 'Sagabox.MessageType': stringAttribute('Placed'), tenant: stringAttribute('a') };
    const forwarded = failureAttributes({ id: 'in-1', body: '{}', attributes }, facts);
    expect(forwarded).toEqual({
      ...attributes,
      'Sagabox.MessageId': stringAttribute('in-1'),
      [HEADER]: stringAttribute(JSON.stringify(facts)),
    });
  });

  it('leave out an id that SQS would refuse: it stands in the body', () => {
    const forwarded = failureAttributes({ id: 'shop#\u0001', body: '{}', attributes: {} }, facts);
    expect(forwarded).toEqual({ [HEADER]: expect.anything() });
  });

  it('keep the id that it had, and tell the last failure only', () => {
    const first = failureAttributes(
      { id: 'in-1', body: '{}', attributes: { 'Sagabox.MessageId': stringAttribute('in-1') } },
      facts,
    ) as WireAttributes;
    const second = failureAttributes(
      { id: 'in-1', body: '{}', attributes: first },
      { ...facts, receiveCount: 4 },
    );
    expect(Object.keys(second ?? {})).toEqual(['Sagabox.MessageId', HEADER]);
    expect(failureOf(second)?.receiveCount).toBe(4);
  });

  it.each([
    [8, []],
    [9, ['h8']],
  ])('are ten at most: of %i headers, %j are packed', (count, packed) => {
    const attributes = numbered(count);
    const forwarded = failureAttributes({ id: 'in-1', body: '{}', attributes }, facts) as WireAttributes;
    expect(Object.keys(forwarded)).toHaveLength(10);
    expect(Object.keys(failureOf(forwarded)?.attributes ?? {})).toEqual(packed);
    expect(withoutFailure({ id: 'other', attributes: forwarded }).attributes).toEqual({
      ...attributes,
      'Sagabox.MessageId': stringAttribute('in-1'),
    });
  });

  it('pack those of the user before those that tell what the message is', () => {
    const attributes = {
      ...numbered(4),
      'Sagabox.MessageType': stringAttribute('Placed'),
      'Sagabox.MessageId': stringAttribute('in-1'),
      'Sagabox.ConversationId': stringAttribute('c'),
      'Sagabox.CausationId': stringAttribute('d'),
      'Sagabox.ReplyTo': stringAttribute('orders'),
      'Sagabox.SentAt': stringAttribute('2026-01-01T00:00:00Z'),
    };
    const forwarded = failureAttributes({ id: 'in-1', body: '{}', attributes }, facts);
    expect(Object.keys(failureOf(forwarded)?.attributes ?? {})).toEqual(['h3']);
  });

  it('with ten foreign ones leave no room for the id', () => {
    expect(failureAttributes({ id: 'in-1', body: '{}', attributes: numbered(10) }, facts)).toBeUndefined();
  });

  it('keep binary values and types of their own, packed too', () => {
    const special: WireAttributes = {
      z1: { dataType: 'Binary.gzip', binaryValue: Buffer.from([0, 255, 7]).toString('base64') },
      z2: { dataType: 'Number.int', stringValue: '42' },
    };
    const attributes = { ...numbered(7), ...special };
    const forwarded = failureAttributes({ id: 'in-1', body: '{}', attributes }, facts) as WireAttributes;
    expect(failureOf(forwarded)?.attributes).toEqual({ z2: special.z2 });
    expect(withoutFailure({ id: 'in-1', attributes: forwarded }).attributes).toMatchObject(special);
  });
});

describe('the attributes of a message that is moved back', () => {
  const mark = { 'Sagabox.Redriven': stringAttribute('true') };
  const own = (count: number): WireAttributes =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`Sagabox.${index}`, stringAttribute('v')]),
    );
  const redriven = (attributes: WireAttributes, body = '{}') => redrivenAttributes({ body, attributes });

  it('have its mark', () => {
    expect(redriven({ ...own(8), h: stringAttribute('x') })).toEqual({
      ...own(8),
      h: stringAttribute('x'),
      ...mark,
    });
  });

  it('are folded when the mark would be one too many', () => {
    const attributes = redriven({ ...own(8), h: stringAttribute('x'), traceparent: stringAttribute('t') });
    expect(Object.keys(attributes)).toEqual(['h', 'Sagabox.Headers']);
    const folded = JSON.parse(attributes['Sagabox.Headers']?.stringValue ?? '');
    expect(folded).toMatchObject({ 'Sagabox.Redriven': 'true', 'Sagabox.0': 'v', traceparent: 't' });
  });

  it.each([
    ['ten of others', numbered(10), '{}'],
    ['a message as large as can be', numbered(1), 'x'.repeat(MIB - wireAttributesBytes(numbered(1)))],
  ])('stay as they are with %s', (_what, attributes, body) => {
    expect(redriven(attributes, body)).toEqual(attributes);
  });
});

describe('the size of a failed message', () => {
  const long = { ...facts, message: 'm'.repeat(16_384), stack: '  at pay (€.ts:1)\n'.repeat(700) };
  const id = { 'Sagabox.MessageId': stringAttribute('in-1') };
  const bytesOf = (body: string, attributes: WireAttributes) => body.length + wireAttributesBytes(attributes);
  /** The header with nothing in it that can be cut. */
  const smallest = wireAttributesBytes({
    ...id,
    [HEADER]: stringAttribute(encodeFailure({ ...facts, message: '', stack: '' })),
  });

  it('is within the 1 MiB of SQS: first the stack is cut, then the message', () => {
    for (const room of [60_000, 20_000, 16_900, 10_000, 1000, 1]) {
      const body = 'x'.repeat(MIB - smallest - room);
      const forwarded = failureAttributes({ id: 'in-1', body, attributes: id }, long) as WireAttributes;
      expect(bytesOf(body, forwarded)).toBeLessThanOrEqual(MIB);
      const told = failureOf(forwarded);
      expect(told).toBeDefined();
      if (room === 20_000)
        expect([told?.message.length, (told?.stack.length ?? 0) > 500]).toEqual([16_384, true]);
      if (room === 10_000) expect([told?.message.length, told?.stack]).toEqual([10_000, '']);
      if (room === 60_000) expect(told?.stack === long.stack).toBe(true);
    }
  });

  it.each([
    [0, 'forwarded'],
    [1, 'not forwarded'],
  ])('%i bytes over what leaves room for the smallest header has it %s', (over, result) => {
    const expected = result === 'forwarded';
    const body = 'x'.repeat(MIB - smallest + over);
    const forwarded = failureAttributes({ id: 'in-1', body, attributes: id }, long);
    expect(forwarded !== undefined).toBe(expected);
    if (forwarded) expect(bytesOf(body, forwarded)).toBe(MIB);
  });
});

describe('a failure header', () => {
  it('is in the characters that SQS takes', () => {
    const message = 'a\u0000b\u001Fc\uFFFEd\uFFFFe\uD800f€😀';
    const header = encodeFailure({ ...facts, message });
    expect(header).toMatch(/^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u);
    expect(decodeFailure(header)?.message).toBe(message);
  });

  it.each([
    undefined,
    '',
    '{',
    'null',
    '[]',
    JSON.stringify({ queue: 'q', failedAt: 'then', code: 'c', message: 'm' }),
    JSON.stringify({ ...facts, code: 7 }),
  ])('is read as none when it is %p', (header) => {
    expect(decodeFailure(header)).toBeUndefined();
  });

  it('that is none leaves with the message all the same', () => {
    const attributes = { [HEADER]: stringAttribute('odd'), tenant: stringAttribute('a') };
    expect(withoutFailure({ id: 'sqs-1', attributes })).toEqual({
      attributes: { tenant: stringAttribute('a'), 'Sagabox.MessageId': stringAttribute('sqs-1') },
      failure: undefined,
    });
  });
});

describe('describeError', () => {
  it('names the code, else the kind of the error', () => {
    expect(describeError(new SagaboxError('InvalidEvent', { detail: 'x' })).code).toBe('InvalidEvent');
    expect(describeError(new TypeError('a bug'))).toMatchObject({
      code: 'TypeError',
      message: 'a bug',
      stack: expect.stringContaining('failure-message.test.ts'),
    });
  });

  it.each([
    ['thrown', 'thrown'],
    [undefined, 'undefined'],
    [Object.create(null), '{}'],
    [{ code: 402 }, '{"code":402}'],
  ])('takes what is no error: %p', (thrown, message) => {
    expect(describeError(thrown)).toEqual({ code: 'Unknown', message, stack: '' });
  });

  it.each([
    [16_384, 16_384],
    [16_385, 16_384],
  ])('cuts a message of %i bytes to %i', (bytes, expected) => {
    expect(describeError(new Error('x'.repeat(bytes))).message).toHaveLength(expected);
  });

  it('cuts no character in two', () => {
    expect(describeError(new Error(`x${'€'.repeat(10_000)}`)).message).toBe(`x${'€'.repeat(5461)}`);
    expect(describeError(new Error('€'.repeat(10_000))).message).toBe('€'.repeat(5461));
  });
});
