import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonCopy } from '../../../lib/observe/logs/json-copy.ts';
import { sampled } from '../../support/samples.ts';

const copyOf = (value: unknown, maxBytes = 10_000) => new JsonCopy(maxBytes).of(value);
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

const circle: Record<string, unknown> = { name: 'a circle' };
circle.self = circle;
const shared = { id: 7 };
const throwing = {
  get total() {
    throw new RangeError('no total');
  },
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('a copy', () => {
  it.each<[string, unknown, unknown]>([
    ['a plain value', { a: [1, 'two', true, null] }, { a: [1, 'two', true, null] }],
    ['a bigint', 12n, '12'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a number that JSON has not', [Number.NaN, -Infinity], ['NaN', '-Infinity']],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), 'Invalid Date'],
    ['a map', new Map([['a', new Set([1])]]), { a: [1] }],
    ['a map with other keys', new Map([[{ id: 1 }, 'a']]), [[{ id: 1 }, 'a']]],
    ['bytes', [Buffer.from('abc'), new ArrayBuffer(2)], ['[3 bytes]', '[2 bytes]']],
    ['a regular expression', /a+/g, '/a+/g'],
    ['what has a form of its own', new URL('https://example.com/a'), 'https://example.com/a'],
    ['a circle', circle, { name: 'a circle', self: '[Circular]' }],
    ['the same value twice', [shared, shared], [shared, shared]],
    ['functions and undefined', { a: undefined, b: () => {}, c: [() => {}] }, { c: [null] }],
    ['a getter that throws', { order: throwing }, { order: { total: '[RangeError: no total]' } }],
    ['a value that cannot be looked at', [revoked.proxy], [expect.stringMatching(/^\[TypeError: /)]],
  ])('tells %s', (_kind, value, told) => {
    expect(copyOf(value)).toEqual(told);
  });

  it('ends where a value is too deep', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'the end' : { next: nested(levels - 1) });
    expect(JSON.stringify(copyOf(nested(8)))).toContain('the end');
    expect(JSON.stringify(copyOf(nested(9)))).toContain('"next":"[Object]"');
  });

  it.each([
    [16 * 1024, 'whole'],
    [16 * 1024 + 1, 'cut'],
  ])('has a string of %i bytes %s', (bytes, result) => {
    const isCut = result === 'cut';
    const copy = new JsonCopy(100_000);
    const told = copy.of('é'.repeat(bytes / 2) + 'x'.repeat(bytes % 2));
    expect([copy.wasCut, String(told).endsWith('…')]).toEqual([isCut, isCut]);
  });

  it('keeps what comes first when there is no room for all', () => {
    const copy = new JsonCopy(60);
    expect(copy.of({ id: 'm1', long: '"'.repeat(100), late: 1 })).toEqual({
      id: 'm1',
      long: expect.any(String),
    });
    expect(copy.wasCut).toBe(true);
  });

  it('is JSON of bounded size, whatever the value', () => {
    const values = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 300 }), (value, maxBytes) => {
        // A cut string ends with a sign of three bytes.
        expect(bytesOf(copyOf(value, maxBytes))).toBeLessThanOrEqual(maxBytes + 3 * 20);
      }),
      sampled(1000),
    );
  });
});
