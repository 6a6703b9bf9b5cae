import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyJson } from '../../lib/sending/body-json.ts';
import { hostileJson, ownProperties } from '../hostile/hostile-values.ts';
import { sampled } from '../support/samples.ts';

class Money {
  readonly amount = 1;
}
class Sealed {
  readonly #amount = 1;
  get amount() {
    return this.#amount;
  }
}

const sparse: unknown[] = [1];
sparse[2] = 3;

const cyclic: Record<string, unknown> = {};
cyclic.lines = [{ order: cyclic }];

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
const asJson = (value: unknown) => ({ toJSON: () => value });

const refuse = (detail: string): never => {
  throw new Error(detail);
};
const sent = (body: unknown) => JSON.parse(bodyJson(body, refuse) as string);

describe('a body', () => {
  it.each<[string, unknown]>([
    [
      'body.a[0].total is NaN, which JSON turns into null: send null, or a string',
      { a: [{ total: Number.NaN }] },
    ],
    ['body[0] is Infinity, which JSON turns into null', [Number.POSITIVE_INFINITY]],
    ['body is NaN', Number.NaN],
    ['body.a[0] is -0, which JSON turns into 0: add 0 to it (value + 0)', { a: [-0] }],
    [
      'body.orderId is 9007199254740992, beyond the integers that a JavaScript number holds exactly (2^53 - 1): send a string',
      { orderId: 2 ** 53 },
    ],
    ['body[0] is -1e+21, beyond the integers', [-1e21]],
    ['body.total is NaN', { total: new Number(Number.NaN) }],
    ['body["my count"] is a bigint, which JSON does not have: send a string', { 'my count': 1n }],
    ['body.run is a function: send data', { run: () => {} }],
    ['body is a function: send data', () => {}],
    ['body.s is a symbol: send a string', { s: Symbol('s') }],
    ['with a symbol for a name, which JSON leaves out', { o: { [Symbol('s')]: 1 } }],
    ['body.list[0] is undefined, which JSON turns into null: send null', { list: [undefined] }],
    ['body.list[1] is undefined', { list: sparse }],
    [
      'body.match is an array with properties of its own: send its elements alone ([...array])',
      { match: 'abc'.match(/b/) },
    ],
    [
      'body.map is a Map: send a plain object (Object.fromEntries(map)) or an array ([...map])',
      { map: new Map([['a', 1]]) },
    ],
    ['body.set is a Set: send an array ([...set])', { set: new Set([1]) }],
    [
      "body.bytes is a Uint8Array: send a base64 string (Buffer.from(bytes).toString('base64'))",
      { bytes: Uint8Array.of(1) },
    ],
    ['body.bytes is a Buffer: send a base64 string', { bytes: Buffer.from('a') }],
    ['body.bytes is an ArrayBuffer: send a base64 string', { bytes: new ArrayBuffer(1) }],
    ['body.total is a Promise: await it', { total: Promise.resolve(1) }],
    ['body.error is an Error: send its message', { error: Object.assign(new Error('e'), { code: 1 }) }],
    [
      'body.pattern is a RegExp without properties that JSON sees: send a plain object, or give it a toJSON',
      { pattern: /a/ },
    ],
    [
      "body.price is an instance of the class 'Sealed' without properties that JSON sees: send a plain object, or give it a toJSON",
      { price: new Sealed() },
    ],
    ['body.at is an invalid Date: send a valid one, or null', { at: new Date(Number.NaN) }],
    ['body.lines[0].order is an object that contains it: send its id in its place', cyclic],
    ['body.a.b is NaN', { a: asJson({ b: Number.NaN }) }],
    [
      'its body is nested over 500 levels deep: make it flatter',
      (() => {
        const make = (): object => ({ toJSON: () => ({ a: make() }) });
        return make();
      })(),
    ],
    ['its body is nested over 500 levels deep', nested(501)],
  ])('is refused, by path and remedy: %s', (detail, body) => {
    expect(() => bodyJson(body, refuse)).toThrow(detail);
  });

  it.each<[string, unknown, unknown]>([
    ['a Date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an object with a toJSON', { total: asJson('10.00') }, { total: '10.00' }],
    ['a URL', { link: new URL('https://example.com/a') }, { link: 'https://example.com/a' }],
    ['an instance of a class with properties', { price: new Money() }, { price: { amount: 1 } }],
    ['an object without a prototype', Object.groupBy([1], () => 'a'), { a: [1] }],
    [
      'boxed values',
      { a: new String('a'), b: new Number(1), c: new Boolean(false) },
      { a: 'a', b: 1, c: false },
    ],
    ['the largest integers', [2 ** 53 - 1, 1 - 2 ** 53, 0.1], [2 ** 53 - 1, 1 - 2 ** 53, 0.1]],
    ['a property that is undefined', { a: undefined, b: 1 }, { b: 1 }],
    ['a toJSON that returns undefined', { a: asJson(undefined), b: 1 }, { b: 1 }],
    [
      'an object twice, once beside the other',
      (() => {
        const address = { city: 'Bern' };
        return { from: address, to: [address, address] };
      })(),
      { from: { city: 'Bern' }, to: [{ city: 'Bern' }, { city: 'Bern' }] },
    ],
    ['an object of another realm', structuredClone({ a: [{}] }), { a: [{}] }],
    ['500 levels', nested(500), nested(500)],
  ])('with %s is sent as JSON has it', (_case, body, expected) => {
    expect(sent(body)).toStrictEqual(expected);
  });

  it('that is undefined has no JSON', () => {
    expect(bodyJson(undefined, refuse)).toBeUndefined();
  });

  it('of JSON values arrives as it was', () => {
    const withSafeNumbers = (value: unknown): unknown => {
      if (typeof value === 'number') return (value % 2 ** 53) + 0;
      if (Array.isArray(value)) return value.map(withSafeNumbers);
      if (typeof value !== 'object' || value === null) return value;
      return ownProperties(Object.entries(value).map(([name, part]) => [name, withSafeNumbers(part)]));
    };
    fc.assert(
      fc.property(hostileJson.map(withSafeNumbers), (body) => {
        expect(isDeepStrictEqual(sent(body), body)).toBe(true);
      }),
      sampled(500),
    );
  });
});
