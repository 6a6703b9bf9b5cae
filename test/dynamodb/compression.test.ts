import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cheaperForm, compress, decompress, isEncoding } from '../../lib/dynamodb/compression.ts';
import { sampled } from '../support/samples.ts';

const repetitive = new TextEncoder().encode('a message like the others. '.repeat(100));
const bomb = compress(new Uint8Array(1000));

describe('the cheaper form', () => {
  const choose = (plain: number, compressed: number) => {
    let isMade = false;
    const makeCompressed = () => {
      isMade = true;
      return compressed;
    };
    return [cheaperForm(plain, makeCompressed, (bytes) => Math.ceil(bytes / 1024)), isMade];
  };

  it.each([
    [1024, 1, 1024, false],
    [1025, 1024, 1024, true],
    [1025, 1025, 1025, true],
    [3000, 2049, 3000, true],
    [3000, 2048, 2048, true],
  ])(
    'of %i bytes and %s compressed is %i, and compressed is made: %s',
    (plain, compressed, chosen, isMade) => {
      expect(choose(plain, compressed)).toEqual([chosen, isMade]);
    },
  );
});

describe('compression', () => {
  it('brings back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 2000 }), (bytes) => {
        expect([...decompress(compress(bytes), bytes.byteLength)]).toEqual([...bytes]);
      }),
      sampled(200),
    );
  });

  it('makes a string that repeats itself a small part of what it was', () => {
    expect(compress(repetitive).byteLength).toBeLessThan(repetitive.byteLength / 20);
  });

  it('stops at the bound when it inflates', () => {
    expect(decompress(bomb, 1000)).toHaveLength(1000);
    expect(() => decompress(bomb, 999)).toThrow('they inflate to more than 999 bytes');
  });

  it.each<[string, Uint8Array]>([
    ['no bytes', new Uint8Array()],
    ['bytes cut off', compress(repetitive).subarray(0, -1)],
    ['bytes that were never compressed', repetitive],
    ['bytes that something follows', Buffer.concat([compress(repetitive), Uint8Array.of(0)])],
    ['two compressed strings', Buffer.concat([compress(repetitive), compress(repetitive)])],
  ])('does not take %s', (_case, bytes) => {
    expect(() => decompress(bytes, 1_000_000)).toThrow();
  });
});

it.each([
  ['br', 'known'],
  ['BR', 'unknown'],
  ['', 'unknown'],
  ['gzip', 'unknown'],
])('the encoding %j is %s', (name, result) => {
  const known = result === 'known';
  expect(isEncoding(name)).toBe(known);
});
