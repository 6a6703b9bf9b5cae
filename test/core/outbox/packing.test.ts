import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue, ScheduleCancellation } from '../../../lib/core/incoming/message.ts';
import {
  chunksOf,
  joinChunks,
  MAX_CHUNKS,
  MAX_PACKED_BYTES,
  MAX_PACKED_ITEM_BYTES,
  pack,
  unpack,
} from '../../../lib/core/outbox/packing.ts';
import { compress } from '../../../lib/core/storage/compression.ts';
import { operationsOfSize, outgoingMessage } from '../../support/outgoing-messages.ts';
import { sampled } from '../../support/samples.ts';
import { refusalOf } from '../outgoing/unit-of-work-of.ts';

const identity = { endpoint: 'orders', messageId: 'in-1' };
const encoded = (text: string) => new TextEncoder().encode(text);

/** JSON still, but for one character that is cut in two. */
function withDamagedBody(): Uint8Array {
  const bytes = pack([outgoingMessage({ body: 'é' })]);
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
        expect(unpack(pack(operations), undefined, identity)).toEqual(operations);
        expect(unpack(compress(pack(operations)), 'br', identity)).toEqual(operations);
      }),
      sampled(200),
    );
  });

  it('brings back cancellations, among messages', () => {
    const cancellation: ScheduleCancellation = { id: 'out-2', cancels: 'out-1' };
    const operations = [outgoingMessage(), cancellation];
    expect(unpack(pack(operations), undefined, identity)).toEqual(operations);
  });

  it('is JSON, byte for byte', () => {
    const operations = [outgoingMessage({ body: 'żółw' }), outgoingMessage({ id: 'out-2' })];
    expect(pack(operations)).toEqual(encoded(JSON.stringify(operations)));
    expect(pack([])).toEqual(encoded('[]'));
  });

  it('takes 16 MiB, and not one byte more', () => {
    expect(MAX_PACKED_BYTES).toBe(16 * 1024 * 1024);
    const operations = operationsOfSize(MAX_PACKED_BYTES);
    expect(unpack(compress(pack(operations)), 'br', identity)).toEqual(operations);

    // operationsOfSize measures by packing, too.
    const [message = outgoingMessage()] = operations;
    const error = refusalOf(() => pack([{ ...message, type: `${message.type}+` }]));
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
    const error = refusalOf(() => pack(operations));
    expect(error.facts).toMatchObject({ actual: encoded(JSON.stringify(operations)).byteLength });
  });

  it.each([
    ['bytes cut off', pack([outgoingMessage()]).subarray(0, 20)],
    ['no bytes', new Uint8Array()],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a message whose body has lost a byte of a character', withDamagedBody()],
    ['JSON that something follows', Buffer.concat([pack([outgoingMessage()]), encoded('x')])],
    ['JSON that is no list', encoded('{}')],
    ['a list of something else', encoded('[null]')],
  ])('does not take %s for messages, compressed or not', (_case, bytes) => {
    expect(() => unpack(bytes, undefined, identity)).toThrow();
    expect(() => unpack(compress(bytes), 'br', identity)).toThrow();
  });

  it('does not take compressed bytes for plain ones, or plain ones for compressed ones', () => {
    const packed = pack([outgoingMessage()]);
    expect(() => unpack(compress(packed), undefined, identity)).toThrow();
    expect(() => unpack(packed, 'br', identity)).toThrow();
  });

  it('does not inflate a bomb', () => {
    const bomb = compress(new Uint8Array(MAX_PACKED_BYTES + 1).fill(0x20));
    expect(bomb.byteLength).toBeLessThan(1000);
    expect(() => unpack(bomb, 'br', identity)).toThrow(`they inflate to more than ${MAX_PACKED_BYTES} bytes`);
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
      const chunks = chunksOf(pack(operations));
      expect(chunks).toHaveLength(3);
      expect(unpack(joinChunks(chunks), undefined, identity)).toEqual(operations);
    }
  });
});

describe('unpacking what is JSON, and no operations', () => {
  it.each([
    ['a header that is no string', { headers: { tenant: 5 } }],
    ['one header of two that is no string', { headers: { trace: 'a', tenant: 5 } }],
    ['headers that are a list', { headers: ['a'] }],
    ['headers that are null', { headers: null }],
    ['headers that are a string', { headers: 'a' }],
    ['no destination', { destination: undefined }],
    ['no type', { type: undefined }],
    ['no id', { id: undefined }],
    ['no body', { body: undefined }],
    ['a cancellation of nothing', { cancels: null }],
    ['an empty id', { id: '' }],
    ['an id that is no string', { id: 5 }],
    ['a group that is no string', { messageGroupId: 7 }],
    ['a group that is null', { messageGroupId: null }],
    ['a group that SQS does not take', { messageGroupId: 'two words' }],
    ['a delay that is no number', { delaySeconds: '5' }],
    ['a delay that is null', { delaySeconds: null }],
    ['a delay of less than nothing', { delaySeconds: -1 }],
    ['a delay beyond that of SQS', { delaySeconds: 901 }],
    ['a delay of a part of a second', { delaySeconds: 0.5 }],
    ['a time that is none', { dueAt: 'soon' }],
    ['a time that is null', { dueAt: null }],
    ['a time that does not exist', { dueAt: '2026-02-30T00:00:00.000Z' }],
    ['a time that is a year', { dueAt: '5' }],
    ['a time in a list', { dueAt: ['2026-01-02T03:04:05.000Z'] }],
    ['a time that is a number', { dueAt: 1_767_323_045_000 }],
    ['a time of another form', { dueAt: '2026-01-02T03:04:05Z' }],
    ['an unknown format', { format: 'xml' }],
    ['a destination that is no string', { destination: null }],
  ])('refuses %s', (_what, fields) => {
    const stored = encoded(JSON.stringify([outgoingMessage(), { ...outgoingMessage(), ...fields }]));
    expect(() => unpack(stored, undefined, identity)).toThrow('it holds no outgoing messages');
  });

  it.each([[null], ['a'], [7], [[]], [{ cancels: '1' }]])('refuses %j in place of a message', (value) => {
    const stored = encoded(JSON.stringify([outgoingMessage(), value]));
    expect(() => unpack(stored, undefined, identity)).toThrow('it holds no outgoing messages');
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
    expect(unpack(pack(operations), undefined, identity)).toEqual(operations);
  });
});
