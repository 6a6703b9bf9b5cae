import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import fc from 'fast-check';
import { sqsRecord } from 'sagabox/testing';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { differenceOf, FINGERPRINT_BYTES, fingerprintOf } from '../../lib/messages/fingerprint.ts';
import { sampled } from '../support/samples.ts';

const placed = fingerprintOf({ type: 'OrderPlaced', body: { orderId: '7', lines: [{ a: 1, b: 2 }] } });

const differenceOfBodies = (one: unknown, other: unknown) =>
  differenceOf(fingerprintOf({ type: 'A', body: one }), fingerprintOf({ type: 'A', body: other }));

describe('the fingerprint of a message', () => {
  it('is 8 bytes, pinned: records in use hold it', () => {
    expect(Buffer.from(placed).toString('hex')).toBe('f5eafb12100432fa');
    expect(placed.byteLength).toBe(FINGERPRINT_BYTES);
  });

  it.each<[string, string, unknown, ReturnType<typeof differenceOf>]>([
    ['the same', 'OrderPlaced', { orderId: '7', lines: [{ a: 1, b: 2 }] }, undefined],
    ['the names in another order', 'OrderPlaced', { lines: [{ b: 2, a: 1 }], orderId: '7' }, undefined],
    ['another type', 'OrderShipped', { orderId: '7', lines: [{ a: 1, b: 2 }] }, 'type'],
    ['another type and body', 'OrderShipped', { orderId: '8' }, 'type'],
    ['another value', 'OrderPlaced', { orderId: 7, lines: [{ a: 1, b: 2 }] }, 'body'],
    ['another value inside', 'OrderPlaced', { orderId: '7', lines: [{ a: 1, b: 3 }] }, 'body'],
    ['another property', 'OrderPlaced', { orderId: '7', lines: [{ a: 1, b: 2 }], c: null }, 'body'],
    ['its values exchanged', 'OrderPlaced', { lines: '7', orderId: [{ a: 1, b: 2 }] }, 'body'],
    ['values of the same text', 'OrderPlaced', { orderId: 7, lines: [{ a: '1', b: 2 }] }, 'body'],
    [
      'no type yet, for a default that is configured later',
      '',
      { orderId: '7', lines: [{ a: 1, b: 2 }] },
      undefined,
    ],
  ])('compared with that of a message with %s', (_what, type, body, difference) => {
    const other = fingerprintOf({ type, body });
    expect(differenceOf(placed, other)).toBe(difference);
    expect(differenceOf(other, placed)).toBe(difference);
  });

  it.each<[string, (digits: string) => SQSRecord]>([
    ['alone', (digits) => sqsRecord({ rawBody: digits })],
    ['in a body', (digits) => sqsRecord({ rawBody: `{"lines":[{"id":${digits}}]}` })],
    [
      'in a CloudEvent',
      (digits) =>
        sqsRecord({
          rawBody: `{"specversion":"1.0","id":"1","source":"/s","type":"A","data":{"id":${digits}}}`,
        }),
    ],
    [
      'in the base64 of a CloudEvent',
      (digits) => {
        const data = Buffer.from(`{"id":${digits}}`).toString('base64');
        return sqsRecord({
          rawBody: `{"specversion":"1.0","id":"1","source":"/s","type":"A","data_base64":"${data}"}`,
        });
      },
    ],
    [
      'in a notification',
      (digits) => {
        const notification = {
          Type: 'Notification',
          MessageId: '1',
          TopicArn: 'arn',
          Timestamp: '2026-01-01',
        };
        return sqsRecord({ body: { ...notification, Message: `{"id":${digits}}` } });
      },
    ],
    ['in an event', (digits) => sqsRecord({ rawBody: eventOf(`{"id":${digits}}`, 'shop') })],
    [
      'in an event of ours',
      (digits) => {
        const headers = '{"Sagabox.MessageId":"1","Sagabox.ReplyTo":"shop"}';
        return sqsRecord({ rawBody: eventOf(`{"id":${digits},"sagabox":${headers}}`, 'sagabox.shop') });
      },
    ],
  ])('tells numbers apart that JavaScript rounds to one: %s', (_where, recordOf) => {
    const of = (digits: string) => fingerprintOf(readEnvelope(recordOf(digits), { defaultMessageType: 'A' }));
    expect(differenceOf(of('9007199254740993'), of('9007199254740992'))).toBe('body');
    expect(differenceOf(of('9007199254740993'), of('9007199254740993'))).toBeUndefined();
    expect(differenceOf(of('-0'), of('0'))).toBe('body');
    expect(differenceOf(of('1.50'), of('1.5'))).toBeUndefined();
  });

  it('takes nothing that a sender writes for such a number', () => {
    const [number, ...forged] = [
      '9007199254740993',
      '{"number":"9007199254740993"}',
      '"9007199254740993"',
    ].map((value) => fingerprintOf(readEnvelope(sqsRecord({ type: 'A', rawBody: `{"id":${value}}` }))));
    expect(forged.map((one) => differenceOf(one, number as Uint8Array))).toEqual(['body', 'body']);
  });

  it.each([
    ['a circle', circle()],
    ['what has no string', { symbol: Symbol('s') }],
    ['a Date', { at: new Date(1) }],
    ['what is nested too deep', nested(200_000)],
  ])('of a body that JSON cannot hold tells the type alone: %s', (_what, body) => {
    const unknown = fingerprintOf({ type: 'OrderPlaced', body });
    expect(unknown.byteLength).toBe(4);
    expect(differenceOf(placed, unknown)).toBeUndefined();
    expect(differenceOf(fingerprintOf({ type: 'OrderShipped', body }), placed)).toBe('type');
  });

  it('tells bodies apart that differ in what stands where', () => {
    const property = fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      fc.pre(!isDeepStrictEqual(normal(one), normal(other)));
      expect(differenceOfBodies({ a: one, b: other }, { a: other, b: one })).toBe('body');
    });
    fc.assert(property, sampled(1000));
  });

  it.each<[unknown, unknown]>([
    [
      [1, 2],
      [2, 1],
    ],
    [[['a', 'b']], ['a', ['b']]],
    [{ items: [[1, 2]] }, { items: [1, [2]] }],
    [
      [{}, 1],
      [[], [1]],
    ],
    [
      { x: { z: 0 }, z: {} },
      { x: {}, z: { x: 0 } },
    ],
  ])('tells what is ordered or nested otherwise apart: %j and %j', (one, other) => {
    expect(differenceOfBodies(one, other)).toBe('body');
  });

  it('that is damaged tells nothing', () => {
    expect(differenceOf(placed, new Uint8Array())).toBeUndefined();
    expect(differenceOf(placed.subarray(0, 2), placed)).toBeUndefined();
  });

  it('is that of the same JSON, whatever it is', () => {
    const property = fc.property(fc.jsonValue(), fc.string(), (body, type) => {
      const copy = JSON.parse(JSON.stringify(body));
      expect(fingerprintOf({ type, body: copy })).toEqual(fingerprintOf({ type, body }));
    });
    fc.assert(property, sampled(200));
  });
});

function eventOf(detail: string, source: string): string {
  const fields = `"id":"1","detail-type":"A","source":"${source}","account":"1","time":"2026-01-01"`;
  return `{"version":"0",${fields},"detail":${detail}}`;
}

/** As JSON has it: there is one zero. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function circle(): unknown {
  const one: { self?: unknown } = {};
  one.self = one;
  return one;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
