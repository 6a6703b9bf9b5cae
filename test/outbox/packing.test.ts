import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compress } from '../../lib/dynamodb/compression.ts';
import type { JsonValue, ScheduleCancellation } from '../../lib/messages/message.ts';
import { decodedBytes, encodeOperations } from '../../lib/outbox/operations-encoding.ts';
import {
  chunksOf,
  joinChunks,
  MAX_CHUNKS,
  MAX_PACKED_BYTES,
  MAX_PACKED_ITEM_BYTES,
  pack,
  unpack,
} from '../../lib/outbox/packing.ts';
import { refusalOf } from '../sending/unit-of-work-of.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { sampled } from '../support/samples.ts';

const identity = { endpoint: 'orders', messageId: 'in-1' };
const encoded = (text: string) => new TextEncoder().encode(text);

/** JSON still, but for one character that is cut in two. */
function withDamagedBody(): Uint8Array {
  const bytes = pack([outgoingMessage({ body: 'é' })], identity);
  return bytes.filter((_byte, index) => index !== bytes.indexOf(0xc3));
}

describe('packing', () => {
  it('brings back any messages', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), (bodies) => {
        const operations = bodies.map((body, index) => {
          const sent = JSON.parse(JSON.stringify(body)) as JsonValue;
          return outgoingMessage({ id: `out-${index}`, body: sent, delaySeconds: index });
        });
        expect(unpack(pack(operations, identity), 's', identity)).toEqual(operations);
        expect(unpack(compress(pack(operations, identity)), 'sb', identity)).toEqual(operations);
      }),
      sampled(200),
    );
  });

  it('brings back cancellations, among messages', () => {
    const cancellation: ScheduleCancellation = { id: 'out-2', cancels: 'out-1' };
    const operations = [outgoingMessage(), cancellation];
    expect(unpack(pack(operations, identity), 's', identity)).toEqual(operations);
  });

  /** What is counted of messages besides their bodies. */
  function countedBesides(count: number): number {
    const operations = Array.from({ length: count }, () => outgoingMessage({ body: '' }));
    const { common } = encodeOperations(operations, identity);
    return decodedBytes(pack(operations, identity).byteLength, count, common);
  }

  it('takes 16 MiB once they are decoded, and not one byte more', () => {
    expect(MAX_PACKED_BYTES).toBe(16 * 1024 * 1024);
    const body = 'x'.repeat(MAX_PACKED_BYTES - countedBesides(1));
    const operations = [outgoingMessage({ body })];
    expect(unpack(compress(pack(operations, identity)), 'sb', identity)).toEqual(operations);

    const error = refusalOf(() => pack([outgoingMessage({ body: `${body}x` })], identity));
    expect(error.code).toBe('TransactionLimit');
    expect(error.retryable).toBe(false);
    expect(error.facts).toMatchObject({
      actual: MAX_PACKED_BYTES + 1,
      maximum: MAX_PACKED_BYTES,
      remedy: 'send fewer or smaller messages from one handler, or keep large data elsewhere',
    });
    expect(error.message).toContain('16777217 bytes of outgoing messages');
  });

  it('counts bytes, not characters, and those between the messages', () => {
    const bodies = ['é'.repeat(MAX_PACKED_BYTES / 4), 'é'.repeat(MAX_PACKED_BYTES / 4)];
    const operations = bodies.map((body) => outgoingMessage({ body }));
    const error = refusalOf(() => pack(operations, identity));
    expect(error.facts).toMatchObject({ actual: countedBesides(2) + MAX_PACKED_BYTES });
  });

  it.each([
    ['bytes cut off', pack([outgoingMessage()], identity).subarray(0, 20)],
    ['no bytes', new Uint8Array()],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a message whose body has lost a byte of a character', withDamagedBody()],
    ['JSON that something follows', Buffer.concat([pack([outgoingMessage()], identity), encoded('x')])],
    ['JSON that is no list', encoded('{}')],
    ['a list of something else', encoded('[null]')],
  ])('does not take %s for messages, compressed or not', (_case, bytes) => {
    expect(() => unpack(bytes, 's', identity)).toThrow();
    expect(() => unpack(compress(bytes), 'sb', identity)).toThrow();
  });

  it('does not take compressed bytes for others, or others for compressed ones', () => {
    const packed = pack([outgoingMessage()], identity);
    expect(() => unpack(compress(packed), 's', identity)).toThrow();
    expect(() => unpack(packed, 'sb', identity)).toThrow();
  });

  it('does not inflate a bomb', () => {
    const bomb = compress(new Uint8Array(MAX_PACKED_BYTES + 1).fill(0x20));
    expect(bomb.byteLength).toBeLessThan(1000);
    expect(() => unpack(bomb, 'sb', identity)).toThrow(`they inflate to more than ${MAX_PACKED_BYTES} bytes`);
  });
});

describe('chunks', () => {
  const kilobytes = 1024;
  const maximum = MAX_PACKED_ITEM_BYTES;

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

  it('are 47 at most, in which the largest operations fit', () => {
    expect(MAX_CHUNKS).toBe(47);
    expect(chunksOf(new Uint8Array(MAX_PACKED_BYTES))).toHaveLength(47);
  });

  it('join to what was cut, also within a character', () => {
    for (const shift of [0, 1]) {
      const operations = [outgoingMessage({ id: 'x'.repeat(1 + shift), body: 'é'.repeat(maximum) })];
      const chunks = chunksOf(pack(operations, identity));
      expect(chunks).toHaveLength(3);
      expect(unpack(joinChunks(chunks), 's', identity)).toEqual(operations);
    }
  });
});

describe('unpacking what is JSON, and no operations', () => {
  it.each([
    ['no destination', { d: undefined }],
    ['no type', { t: undefined }],
    ['a cancellation of nothing', { x: null }],
    ['an empty id', { i: '' }],
    ['an id that is no string', { i: 5 }],
    ['a group that is no string', { g: 7 }],
    ['a group that is null', { g: null }],
    ['a group that SQS does not take', { g: 'two words' }],
    ['a delay that is no number', { s: '5' }],
    ['a delay that is null', { s: null }],
    ['a delay of less than nothing', { s: -1 }],
    ['a delay beyond that of SQS', { s: 901 }],
    ['a delay of a part of a second', { s: 0.5 }],
    ['a time that is none', { u: 'soon' }],
    ['a time that is null', { u: null }],
    ['a time that does not exist', { u: '2026-02-30T00:00:00.000Z' }],
    ['a time that is a year', { u: '5' }],
    ['a time in a list', { u: ['2026-01-02T03:04:05.000Z'] }],
    ['a time that is a number', { u: 1_767_323_045_000 }],
    ['a time of another form', { u: '2026-01-02T03:04:05Z' }],
    ['an unknown format', { f: 'xml' }],
    ['a destination that is no string', { d: null }],
    ['a creation context that it has not', { c: false }],
  ])('refuses %s', (_what, fields) => {
    const whole = { d: 'billing', t: 'A' };
    const stored = encoded(JSON.stringify([{}, [], ['a', 'b'], [whole, { ...whole, ...fields }]]));
    expect(() => unpack(stored, 's', identity)).toThrow('it holds no outgoing messages');
  });

  it.each([
    ['a delay', { delaySeconds: 5, dueAt: '2026-01-02T03:04:05.000Z' }],
    ['no delay', { delaySeconds: 0 }],
    ['the longest delay', { delaySeconds: 900 }],
    ['a time', { dueAt: '2026-01-02T03:04:05.000Z' }],
    ['a group', { messageGroupId: 'g' }],
    ['the format of CloudEvents', { format: 'cloudevents' } as const],
    ['headers', { headers: { trace: 'a', tenant: 'b' } }],
  ])('takes a message with %s', (_what, fields) => {
    const operations = [outgoingMessage(fields)];
    expect(unpack(pack(operations, identity), 's', identity)).toEqual(operations);
  });
});
