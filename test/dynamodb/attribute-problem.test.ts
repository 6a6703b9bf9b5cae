import { describe, expect, it } from '@jest/globals';
import { attributesProblem, keyProblem } from '../../lib/dynamodb/attribute-problem.ts';

const bytes = Uint8Array.of(1);
const nested = (levels: number): object => (levels === 0 ? { S: 'a' } : { M: { a: nested(levels - 1) } });
const circle: { L: unknown[] } = { L: [] };
circle.L.push(circle);

describe('an attribute value', () => {
  it.each<[string, unknown]>([
    ['a string', { S: 'a' }],
    ['an empty string', { S: '' }],
    ['zero', { N: '0' }],
    ['a fraction', { N: '-12.50' }],
    ['an exponent', { N: '1E-130' }],
    ['the largest number', { N: `${'9'.repeat(38)}e88` }],
    ['a number with zeros around it', { N: `000${'1'.repeat(38)}000` }],
    ['bytes', { B: bytes }],
    ['a Buffer', { B: Buffer.from('a') }],
    ['no bytes', { B: new Uint8Array() }],
    ['a set of strings', { SS: ['a', ''] }],
    ['a set of numbers', { NS: ['1', '2.5'] }],
    ['a set of bytes', { BS: [bytes, Uint8Array.of(2)] }],
    ['a list', { L: [{ S: 'a' }, { NULL: true }] }],
    ['an empty list', { L: [] }],
    ['a map', { M: { a: { BOOL: false } } }],
    ['an empty map', { M: {} }],
    ['a type beside one that is undefined', { S: 'a', N: undefined }],
    ['a map of 31 levels', nested(31)],
  ])('may be %s', (_what, value) => {
    expect(attributesProblem({ a: value }, 'Item')).toBeUndefined();
  });

  it.each<[unknown, string]>([
    ['x', 'Item.a is a string, without a type: use { S: … }'],
    [5, "Item.a is a number, without a type: use { N: '…' }"],
    [5n, "Item.a is a bigint, without a type: use { N: '…' }"],
    [true, 'Item.a is a boolean, without a type: use { BOOL: … }'],
    [null, 'Item.a is null, without a type: use { NULL: true }'],
    [undefined, 'Item.a is undefined, without a type: leave it out'],
    [['x'], 'Item.a is an array, without a type: use { L: […] }'],
    [{}, 'Item.a is an object without a type of DynamoDB (S, N, B'],
    [new Date(0), 'Item.a is a Date without a type of DynamoDB'],
    [new Set(['x']), 'Item.a is a Set without a type of DynamoDB'],
    [{ $unknown: ['X', 1] }, 'without a type of DynamoDB'],
    [{ s: 'x' }, 'without a type of DynamoDB'],
    [{ S: undefined }, 'without a type of DynamoDB'],
    [{ S: 'x', N: '5' }, 'Item.a has the types S and N: give one'],
    [{ S: 5 }, 'Item.a.S is a number, not a string'],
    [{ S: null }, 'Item.a.S is null, not a string'],
    [{ S: '\ud83d' }, 'Item.a.S is a string with half a character, not a string'],
    [
      { N: 5 },
      "Item.a.N is a number, not a number in a string: DynamoDB takes numbers as strings, as in { N: '5' }",
    ],
    [{ N: 'five' }, 'Item.a.N is a string, not a number in a string: use decimal digits, 38 at most'],
    [{ N: '' }, 'Item.a.N is a string, not a number in a string'],
    [{ N: 'NaN' }, 'Item.a.N is a string, not a number in a string'],
    [{ N: 'Infinity' }, 'Item.a.N is a string, not a number in a string'],
    [{ N: '0x10' }, 'Item.a.N is a string, not a number in a string'],
    [{ N: '1'.repeat(39) }, 'Item.a.N is a string, not a number in a string'],
    [{ N: '1e126' }, 'Item.a.N is a string, not a number in a string'],
    [{ N: '1e-131' }, 'Item.a.N is a string, not a number in a string'],
    [{ B: 'eA==' }, 'Item.a.B is a string, not a Uint8Array'],
    [{ B: [1] }, 'Item.a.B is an array, not a Uint8Array'],
    [{ BOOL: 'true' }, 'Item.a.BOOL is a string, not true or false'],
    [{ NULL: false }, 'Item.a.NULL is a boolean, not true'],
    [{ SS: [] }, 'Item.a.SS is empty: DynamoDB has no empty sets, so leave the attribute out'],
    [{ SS: new Set(['x']) }, 'Item.a.SS is a Set, not an array of strings'],
    [{ SS: ['x', 5] }, 'Item.a.SS[1] is a number, in a set of strings'],
    [{ SS: ['x', 'x'] }, 'Item.a.SS has an element twice'],
    // biome-ignore lint/suspicious/noSparseArray: that is the case
    [{ SS: ['x', ,] }, 'Item.a.SS[1] is undefined, in a set of strings'],
    [{ NS: [] }, 'Item.a.NS is empty'],
    [{ NS: [5] }, 'Item.a.NS[0] is a number, in a set of numbers as strings'],
    [{ NS: ['five'] }, 'Item.a.NS[0] is a string, in a set of numbers as strings'],
    [{ BS: ['x'] }, 'Item.a.BS[0] is a string, in a set of Uint8Arrays'],
    [{ BS: [bytes, Uint8Array.of(1)] }, 'Item.a.BS has an element twice'],
    [{ L: 'x' }, 'Item.a.L is a string, not an array of attributes'],
    [{ L: [{ S: 'x' }, 'y'] }, 'Item.a.L[1] is a string, without a type'],
    [{ M: [] }, 'Item.a.M is an array, not an object of attributes'],
    [{ M: new Map([['b', { S: 'x' }]]) }, 'Item.a.M is a Map, not an object of attributes'],
    [{ M: { b: 'x' } }, 'Item.a.M.b is a string, without a type'],
    [{ M: { b: { L: [{ M: { c: { N: 5 } } }] } } }, 'Item.a.M.b.L[0].M.c.N is a number'],
    [nested(40), 'is nested over 32 levels deep'],
    [circle, 'is nested over 32 levels deep'],
  ])('is refused: %#', (value, problem) => {
    expect(attributesProblem({ a: value }, 'Item')).toContain(problem);
  });

  it.each([undefined, null, 'x', [], new Map([['a', { S: 'x' }]])])('does not stand in %p', (item) => {
    expect(attributesProblem(item, 'Item')).toMatch(/^Item is .*: give an object of attributes$/);
  });
});

describe('a key', () => {
  it.each([{ S: 'a' }, { N: '5' }, { B: bytes }])('may be %j', (value) => {
    expect(keyProblem({ id: value }, 'Key')).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [{ S: '' }, 'Key.id.S is empty, which no key can be'],
    [{ B: new Uint8Array() }, 'Key.id.B is empty, which no key can be'],
    [{ BOOL: true }, 'Key.id has the type BOOL: a key has S, N, B'],
    [{ SS: ['a'] }, 'Key.id has the type SS: a key has S, N, B'],
    ['x', 'Key.id is a string, without a type: use { S: … }'],
  ])('is refused: %#', (value, problem) => {
    expect(keyProblem({ id: value }, 'Key')).toBe(problem);
  });
});
