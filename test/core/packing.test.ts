import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue } from '../../lib/core/message.ts';
import { chunksOf, joinChunks, MAXIMUM_PACKED_ITEM_BYTES, pack, unpack } from '../../lib/core/packing.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';

describe('packing', () => {
  it('brings back any messages', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), (bodies) => {
        const operations = bodies.map((body, index) => {
          const sent = JSON.parse(JSON.stringify(body)) as JsonValue;
          return outgoingMessage({ id: `out-${index}`, body: sent, delaySeconds: index });
        });
        expect(unpack(pack(operations))).toEqual(operations);
      }),
    );
  });

  it.each([
    ['bytes cut off', pack([outgoingMessage()]).subarray(0, 20)],
    ['no bytes', new Uint8Array()],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['JSON that is no list', new TextEncoder().encode('{}')],
    ['a list of something else', new TextEncoder().encode('[null]')],
    [
      'a message without a body',
      new TextEncoder().encode('[{"id":"1","destination":"a","type":"T","headers":{}}]'),
    ],
  ])('does not take %s for messages', (_case, bytes) => {
    expect(() => unpack(bytes)).toThrow();
  });
});

describe('chunks', () => {
  const kilobytes = 1024;
  const maximum = MAXIMUM_PACKED_ITEM_BYTES;

  it('begin over 350 KB', () => {
    expect(maximum).toBe(350 * kilobytes);
  });

  it.each([
    [0, []],
    [1, []],
    [maximum, []],
    [maximum + 1, [maximum, 1]],
    [2 * maximum, [maximum, maximum]],
    [2 * maximum + 1, [maximum, maximum, 1]],
  ])('of %i bytes have the sizes %j', (bytes, sizes) => {
    expect(chunksOf(new Uint8Array(bytes)).map((chunk) => chunk.byteLength)).toEqual(sizes);
  });

  it('join to what was cut, also within a character', () => {
    for (const shift of [0, 1]) {
      const operations = [outgoingMessage({ id: 'x'.repeat(shift), body: 'é'.repeat(maximum) })];
      const chunks = chunksOf(pack(operations));
      expect(chunks).toHaveLength(3);
      expect(unpack(joinChunks(chunks))).toEqual(operations);
    }
  });

  it('are cut by bytes, not by characters', () => {
    const packed = pack(operationsOfSize(maximum));
    expect(packed.byteLength).toBe(maximum);
    expect(chunksOf(packed)).toEqual([]);
    expect(chunksOf(pack(operationsOfSize(maximum + 1)))).toHaveLength(2);
  });
});
