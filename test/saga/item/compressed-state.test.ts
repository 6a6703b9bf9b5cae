import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compress } from '../../../lib/dynamodb/compression.ts';
import type { Item } from '../../../lib/dynamodb/item-attributes.ts';
import { itemSize } from '../../../lib/dynamodb/item-size.ts';
import { compressState, decompressState, MAX_STATE_BYTES } from '../../../lib/saga/item/compressed-state.ts';
import { anyAttributes } from '../../support/attribute-values.ts';
import { sampled } from '../../support/samples.ts';

const ofJson = (json: string) => compress(Buffer.from(json));
const roundTrip = (state: Item) => decompressState(compressState(state) ?? new Uint8Array());

describe('a compressed state', () => {
  it('comes back as it was, whatever its attributes are', () => {
    fc.assert(
      fc.property(anyAttributes, (state) => void expect(roundTrip(state)).toEqual(state)),
      sampled(200),
    );
  });

  it.each<[string, AttributeValue]>([
    ['numbers as they are written', { NS: ['1.0', '-0', '1e5', `${'9'.repeat(38)}.000`, '+.5E-7'] }],
    ['half of a surrogate pair', { S: 'a\ud800' }],
    ['bytes that are a part of others', { B: Uint8Array.of(1, 2, 3, 4).subarray(1, 3) }],
    ['empty values', { L: [{ S: '' }, { B: new Uint8Array() }, { L: [] }, { M: {} }, { BOOL: false }] }],
    ['names that objects inherit', { M: { constructor: { S: 'a' }, ['__proto__']: { S: 'b' } } }],
  ])('has %s', (_what, value) => {
    expect(roundTrip({ value })).toEqual({ value });
  });

  it('has bytes in a memory of their own, as a copy of the state takes all of it', () => {
    const { B: bytes } = roundTrip({ hash: { B: Buffer.from('abc') } }).hash ?? {};
    expect(bytes).toStrictEqual(Uint8Array.from(Buffer.from('abc')));
    expect(bytes?.buffer.byteLength).toBe(3);
  });

  it.each([
    ['an unknown type', { $unknown: ['X', 1] }],
    ['two types', { S: 'a', N: '1' }],
    ['no type', {}],
    ['a number for a string', { S: 1 }],
    ['a number that is none', { N: 'one' }],
    ['a number that is no string', { N: 1 }],
    ['a string for bytes', { B: 'YQ==' }],
    ['false for null', { NULL: false }],
    ['a string for a boolean', { BOOL: 'true' }],
    ['a list that is a map', { L: {} }],
    ['a hole', { L: Array(1) }],
    ['a map that is a list', { M: [] }],
    ['a set of other values', { SS: ['a', 1] }],
  ])('is not made of %s: the service refuses it', (_what, value) => {
    expect(compressState({ value } as unknown as Item)).toBeUndefined();
  });

  it.each([
    ['no JSON', '[{'],
    ['no map', '[]'],
    ['null', 'null'],
    ['a value without a type', '{"a":"b"}'],
    ['a value of an unknown type', '{"a":{"X":"b"}}'],
    ['bytes that are no string', '{"a":{"B":[1]}}'],
    ['a number that is none', '{"a":{"N":"NaN"}}'],
    ['more than the JSON', '{}x'],
    ['over 31 levels', `{"a":${'{"L":['.repeat(31)}{"L":[]}${']}'.repeat(31)}}`],
    ['a million levels', `{"a":${'{"L":['.repeat(1_000_000)}`],
  ])('is refused when it holds %s', (_what, json) => {
    expect(() => decompressState(ofJson(json))).toThrow(Error);
  });

  it('has 31 levels', () => {
    const json = `{"a":${'{"L":['.repeat(30)}{"SS":["b"]}${']}'.repeat(30)}}`;
    expect(decompressState(ofJson(json))).toEqual(JSON.parse(json));
  });

  it('is as large as its bound, and no larger', () => {
    const around = itemSize({ a: { S: JSON.stringify({ a: { S: '' } }) } }) - 1;
    const stateOf = (bytes: number): Item => ({ a: { S: 'x'.repeat(bytes - around) } });
    expect(roundTrip(stateOf(MAX_STATE_BYTES))).toEqual(stateOf(MAX_STATE_BYTES));
    expect(compressState(stateOf(MAX_STATE_BYTES + 1))).toBeUndefined();
    expect(() => decompressState(ofJson(' '.repeat(MAX_STATE_BYTES + 1)))).toThrow(
      'inflate to more than 4194304',
    );
  });

  it('takes each state that fits an item as it is', () => {
    // The values that JSON makes the most of.
    const densest: AttributeValue = { L: Array.from({ length: 400 * 1024 }, () => ({ S: '' })) };
    expect(compressState({ densest })).toBeDefined();
  });
});
