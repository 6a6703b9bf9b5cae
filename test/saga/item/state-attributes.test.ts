import { types } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromStateAttributes, toStateAttributes } from '../../../lib/saga/item/state-attributes.ts';
import { hostileString, inheritedName, ownProperties } from '../../hostile/hostile-values.ts';
import { sampled, samples } from '../../support/samples.ts';

const roundTrip = (state: unknown) => fromStateAttributes(toStateAttributes(state));

class Money {
  readonly amount = 1;
}
class Lines extends Array {}
class Tags extends Set {}

const sparse: unknown[] = [1];
sparse[2] = 3;

const cyclic: Record<string, unknown> = { lines: [] };
cyclic.lines = [{ order: cyclic }];

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

const refused: [string, unknown][] = [
  ['state is an array: use a plain object', [1, 2]],
  ['state is a string: use a plain object', 'text'],
  ['state is null: use a plain object', null],
  ['state is undefined: use a plain object', undefined],
  ['state is a Set: use a plain object', new Set(['a'])],
  ['state is a Uint8Array: use a plain object', Uint8Array.of(1)],
  [
    'state is a Map: store a plain object (Object.fromEntries(map)) or an array ([...map])',
    new Map([['a', 1]]),
  ],
  ["state is an instance of the class 'Money': store a plain object, or pass a mapper", new Money()],
  ['state.lines[1].placedAt is a Date: store an ISO 8601 string', { lines: [1, { placedAt: new Date(0) }] }],
  [
    "state.price is an instance of the class 'Money': store a plain object, or pass a mapper",
    { price: new Money() },
  ],
  ['state.map is a Map: store a plain object', { map: new Map() }],
  ['state.run is a function: store data, and keep the code in the handler', { run: () => {} }],
  ['state.list[1] is a function', { list: [1, () => {}] }],
  ['state.symbol is a symbol: store a string', { symbol: Symbol('s') }],
  ['state.a has a property whose name is a symbol: use a string', { a: { [Symbol('s')]: 1 } }],
  ['state.total is a Promise: await it', { total: Promise.resolve(1) }],
  ['state.error is a TypeError: store its message', { error: new TypeError('t') }],
  ['state.pattern is a RegExp: store a plain object, or pass a mapper', { pattern: /a/ }],
  ['state.lines[0].order is an object that contains it: store its id in its place', cyclic],
  [
    'state.list[1] is undefined, which would move the elements behind it: use null',
    { list: [1, undefined, 3] },
  ],
  ['state.list[1] is undefined', { list: sparse }],
  [
    'state.match is an array with properties of its own: store its elements alone ([...array])',
    { match: 'abc'.match(/b/) },
  ],
  ['state.lines is a Lines: store a plain array ([...array])', { lines: Lines.of(1) }],
  ['state.tags is a Tags: store a plain Set', { tags: new Tags(['a']) }],
  [
    'state.set is an empty Set, which DynamoDB does not take: delete the property, or use an array',
    { set: new Set() },
  ],
  [
    'state.set is a Set of something else than strings alone, numbers alone or Uint8Arrays alone: use an array',
    { set: new Set([{}]) },
  ],
  ['state.set is a Set of something else', { set: new Set([null]) }],
  ['state.set is a Set of something else', { set: new Set(['1', 1]) }],
  ['state.set is a Set of something else', { set: new Set([1, 2n ** 64n]) }],
  [
    'state.set is a Set with the same bytes twice: use an array',
    { set: new Set([Uint8Array.of(1), Uint8Array.of(1)]) },
  ],
  ['state.set is NaN', { set: new Set([1, Number.NaN]) }],
  ['state.number is NaN: use null, or a string', { number: Number.NaN }],
  ['state.number is -Infinity: use null, or a string', { number: Number.NEGATIVE_INFINITY }],
  ['state.number is -0, which DynamoDB stores as 0: add 0 to it (value + 0)', { number: -0 }],
  [
    'state.number is 9007199254740992, over the integers that a number holds exactly (2^53 - 1): use a bigint, or a string',
    { number: 2 ** 53 },
  ],
  ['state.number is -9007199254740992, over', { number: -(2 ** 53) }],
  [
    'state.number is -9.99e-131, closer to 0 than DynamoDB stores (1e-130): round it, or use a string',
    { number: -9.99e-131 },
  ],
  [
    'state.count is the bigint 5n, which would come back as a number: use a number, or a string',
    { count: 5n },
  ],
  ['state.big is a bigint over the 38 digits that DynamoDB stores: use a string', { big: 10n ** 38n + 1n }],
  ['state.big is a bigint over the 38 digits', { big: -(10n ** 126n) }],
  ['state.bytes is a Buffer: store a plain Uint8Array (Uint8Array.from(bytes))', { bytes: Buffer.from('a') }],
  [
    'state.bytes is a Float64Array: store a Uint8Array of its bytes, or an array of its numbers',
    { bytes: Float64Array.of(1) },
  ],
  ['state.bytes is an ArrayBuffer: store a Uint8Array of its bytes', { bytes: new ArrayBuffer(2) }],
  ['state.number is a Number: store the plain value (valueOf())', { number: new Number(1) }],
  ['state.text is a String: store the plain value (valueOf())', { text: new String('a') }],
  ['state.flag is a Boolean: store the plain value (valueOf())', { flag: new Boolean(false) }],
  [
    'state.groups is an object without a prototype: copy it to a plain object ({ ...object })',
    { groups: Object.groupBy([1], () => 'all') },
  ],
  ["state.a is an instance of the class 'Object'", { a: Object.create({ inherited: 1 }) }],
  ['state.text is a string with half of a surrogate pair', { text: 'a\uD83D' }],
  ['state["a\\ud83d"] is a name with half of a surrogate pair', { 'a\uD83D': 1 }],
  [
    'state.address has a property with an empty name, which DynamoDB does not take: rename it',
    { address: { '': 1 } },
  ],
  ['"] is a name of 65536 bytes, over the 65535 of DynamoDB: make it a value', { ['é'.repeat(32_768)]: 1 }],
  [
    "state.data has a property named '__proto__', which some versions of the AWS SDK lose: rename it",
    { data: ownProperties([['__proto__', { a: 1 }]]) },
  ],
  ['state is nested over 31 levels deep: make it flatter', nested(32)],
];

describe('a state', () => {
  it.each(refused)('is refused, by path and remedy: %s', (problem, state) => {
    expect(() => toStateAttributes(state)).toThrow(problem);
  });

  it('is refused in words of this package, and not with an option of the SDK', () => {
    for (const [, state] of refused) {
      expect(() => toStateAttributes(state)).not.toThrow(/convert|remove|wrapNumbers|options\./i);
    }
  });

  it('is refused with a path that can be read, however long it is', () => {
    const deep = (levels: number): unknown =>
      levels === 0 ? { at: new Date(0) } : { ['x'.repeat(99)]: deep(levels - 1) };
    const refusal = () => toStateAttributes(deep(20));
    expect(refusal).toThrow(/^….{500} is a Date/);
    expect(refusal).toThrow(`["${'x'.repeat(64)}"].at is a Date`);
  });

  it.each<[string, unknown]>([
    ['the largest safe integers', { max: Number.MAX_SAFE_INTEGER, min: Number.MIN_SAFE_INTEGER }],
    ['an array that is empty', { list: [] }],
    [
      'big integers that no number holds',
      { big: 2n ** 70n, negative: -(2n ** 53n), set: new Set([2n ** 64n]) },
    ],
    ['big integers of up to 38 digits, and zeros behind them', { big: (10n ** 38n - 1n) * 10n ** 88n }],
    ['sets of bytes', { set: new Set([Uint8Array.of(1), Uint8Array.of()]) }],
    ['sets of strings and of numbers', { strings: new Set(['', 'a']), numbers: new Set([0, -1.5]) }],
    ['a number next to 0', { number: 1e-130 }],
    [
      'an object twice, once beside the other',
      (() => {
        const address = { city: 'Bern' };
        return { from: address, to: address, all: [address] };
      })(),
    ],
    ['names that objects inherit', { constructor: 1, hasOwnProperty: 'a', toString: { valueOf: null } }],
    ['other names', { ' ': 1, 'a.b[0]': 2, ['é'.repeat(32_767)]: 3, '😀': 4 }],
    ['31 levels, and a set in the last', { a: nested(29), b: { set: new Set([1]) } }],
    ['an object of another realm', structuredClone({ a: [{ b: new Set(['c']) }] })],
  ])('with %s comes back as it was', (_name, state) => {
    expect(roundTrip(state)).toEqual(state);
  });

  it('loses properties that are undefined, and nothing else', () => {
    expect(roundTrip({ a: undefined, b: 1 })).toStrictEqual({ b: 1 });
  });

  it('keeps its own copy of bytes', () => {
    const bytes = Uint8Array.of(1);
    const attributes = toStateAttributes({ bytes });
    bytes[0] = 2;
    expect(fromStateAttributes(attributes)).toEqual({ bytes: Uint8Array.of(1) });
  });

  it('comes back deeply equal whenever it is taken, zeros and prototypes included', () => {
    let taken = 0;
    const property = fc.property(anyState, (state) => {
      let attributes: ReturnType<typeof toStateAttributes>;
      try {
        attributes = toStateAttributes(state);
      } catch (error) {
        expect((error as Error).message).toMatch(/^(…|state)/);
        expect(error).not.toBeInstanceOf(TypeError);
        return;
      }
      taken += 1;
      expectSame(fromStateAttributes(attributes), state);
    });
    fc.assert(property, sampled(2000));
    expect(taken).toBeGreaterThan(samples(200));
  });
});

const name = fc.oneof(fc.constantFrom('a', 'b', 'c'), inheritedName, hostileString);

/** Mostly what a state may hold, and now and then what it may not. */
const anyState: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(ownProperties),
  value: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: fc.oneof(fc.string(), hostileString, fc.boolean(), fc.constant(null)) },
    {
      weight: 3,
      arbitrary: fc.oneof(fc.integer(), fc.double(), fc.bigInt(), fc.constantFrom(0, -0, 2 ** 53, 5e-324)),
    },
    {
      weight: 2,
      arbitrary: fc.oneof(setOf(fc.string()), setOf(fc.double()), setOf(fc.bigInt()), setOf(fc.uint8Array())),
    },
    { weight: 1, arbitrary: fc.uint8Array() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(Buffer.from('a'), new Number(1), new String('a'), new Date(0), undefined),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(Object.create(null), new Money(), Lines.of(1), () => {}, Symbol('s')),
    },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 3, arbitrary: tie('object') },
  ),
})).object;

function setOf(element: fc.Arbitrary<unknown>): fc.Arbitrary<Set<unknown>> {
  return fc.array(element, { maxLength: 4 }).map((elements) => new Set(elements));
}

function expectSame(one: unknown, other: unknown): void {
  if (typeof other !== 'object' || other === null) {
    expect(Object.is(one, other)).toBe(true);
    return;
  }
  expect(Object.getPrototypeOf(one)).toBe(Object.getPrototypeOf(other));
  if (types.isSet(other) || types.isUint8Array(other)) {
    expect(one).toStrictEqual(other);
    return;
  }
  const present = Object.entries(other).filter(([, value]) => value !== undefined);
  expect(Object.keys(one as object).toSorted()).toEqual(present.map(([key]) => key).toSorted());
  for (const [key, value] of present) expectSame(Object.getOwnPropertyDescriptor(one, key)?.value, value);
}
