import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differenceOf, FINGERPRINT_BYTES, fingerprintOf } from '../../../lib/core/incoming/fingerprint.ts';
import { sampled } from '../../support/samples.ts';

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
