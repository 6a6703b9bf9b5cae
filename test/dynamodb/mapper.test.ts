import { describe, expect, it } from '@jest/globals';
import { defaultMapper } from '../../lib/dynamodb/mapper.ts';

const roundTrip = (state: unknown) => defaultMapper.fromAttributes(defaultMapper.toAttributes(state));

class Money {
  readonly amount = 1;
}

const sparse: unknown[] = [1];
sparse[2] = 3;

const refused: [string, unknown, RegExp][] = [
  ['an array', [1, 2], /no plain object/],
  ['a text', 'text', /no plain object/],
  ['null', null, /no plain object/],
  ['a set', new Set(['a']), /no plain object/],
  ['nothing', undefined, /undefined/],
  ['a Map', new Map([['a', 1]]), /state is a Map/],
  ['a Map inside', { lines: [{ map: new Map() }] }, /state\.lines\[0\]\.map is a Map/],
  ['a Date inside', { at: new Date(0) }, /Unsupported type/],
  ['a class instance', new Money(), /Unsupported type/],
  ['a class instance inside', { price: new Money() }, /Unsupported type/],
  ['a function inside', { run: () => {} }, /state\.run is a function/],
  ['a function in an array', { list: [1, () => {}] }, /state\.list\[1\] is a function/],
  ['undefined in an array', { list: [1, undefined, 3] }, /state\.list has undefined at 1/],
  ['a hole in an array', { list: sparse }, /state\.list has undefined at 1/],
  ['a symbol', { symbol: Symbol('s') }, /Symbol/],
  ['an empty set', { set: new Set() }, /non-empty set/],
  ['a set of objects', { set: new Set([{}]) }, /Number Set/],
  ['a set of different types', { set: new Set(['1', 1]) }, /state\.set is a set of different types/],
  ['NaN', { number: Number.NaN }, /NaN/],
  ['an infinite number', { number: Number.NEGATIVE_INFINITY }, /Infinity/],
  ['a number over the safe integers', { number: 2 ** 53 }, /MAX_SAFE_INTEGER/],
  ['a number under the safe integers', { number: -(2 ** 53) }, /MIN_SAFE_INTEGER/],
  ['numbers as bytes', { bytes: Float64Array.of(1) }, /state\.bytes is bytes, but no Uint8Array/],
  ['a buffer without a view', { bytes: new ArrayBuffer(2) }, /state\.bytes is bytes, but no Uint8Array/],
  [
    'a __proto__ key',
    JSON.parse('{ "data": { "__proto__": { "a": 1 } } }'),
    /state\.data has a property named/,
  ],
];

describe('the default mapper', () => {
  it.each(refused)('refuses %s, which would not come back as it is', (_name, state, problem) => {
    expect(() => defaultMapper.toAttributes(state)).toThrow(problem);
  });

  it.each<[string, unknown]>([
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['the largest safe integers', { max: Number.MAX_SAFE_INTEGER, min: Number.MIN_SAFE_INTEGER }],
    ['an array that is empty', { list: [] }],
    ['big integers that no number holds', { big: 2n ** 70n, set: new Set([2n ** 64n]) }],
    ['sets of bytes', { set: new Set([Uint8Array.of(1), Uint8Array.of()]) }],
  ])('gives back %s', (_name, state) => {
    expect(roundTrip(state)).toEqual(state);
  });

  it('gives back a big integer that a number holds as that number', () => {
    expect(roundTrip({ count: 5n })).toEqual({ count: 5 });
  });

  it('leaves out a property that is undefined', () => {
    expect(roundTrip({ a: undefined, b: 1 })).toStrictEqual({ b: 1 });
  });
});
