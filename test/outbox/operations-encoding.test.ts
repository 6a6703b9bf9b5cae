import { describe, expect, it } from '@jest/globals';
import { compress } from '../../lib/dynamodb/compression.ts';
import type { JsonValue, OutgoingOperation } from '../../lib/messages/message.ts';
import { outgoingMessageId } from '../../lib/messages/message-id.ts';
import { MAX_PACKED_BYTES, pack, unpack } from '../../lib/outbox/packing.ts';
import { refusalOf } from '../sending/unit-of-work-of.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { Random } from '../support/random.ts';
import { samples } from '../support/samples.ts';

const identity = { endpoint: 'orders', messageId: 'in-1' };
const idAt = (ordinal: number) => outgoingMessageId('in-1', 'orders', ordinal);
const sentAt = '2026-01-02T03:04:05.678Z';

function ownHeaders(ordinal: number, conversationId = 'in-1') {
  return {
    'Sagabox.ConversationId': conversationId,
    'Sagabox.CausationId': 'in-1',
    'Sagabox.Saga': 'Order',
    'Sagabox.CorrelationId': '42',
    'Sagabox.SagaVersion': `3.${ordinal}`,
    'Sagabox.ReplyTo': 'orders',
    'Sagabox.SentAt': sentAt,
  };
}

function sentAsUsual(count: number, body: JsonValue = { orderId: '42' }): OutgoingOperation[] {
  return Array.from({ length: count }, (_, ordinal) =>
    outgoingMessage({ id: idAt(ordinal), body, headers: ownHeaders(ordinal) }),
  );
}

const jsonOf = (operations: readonly OutgoingOperation[]) =>
  JSON.parse(new TextDecoder().decode(pack(operations, identity)));
const restored = (operations: readonly OutgoingOperation[]) =>
  unpack(pack(operations, identity), 's', identity);

describe('encoded operations', () => {
  it('leave out what derives from the record, and hold once what they share', () => {
    const time = Date.parse(sentAt).toString(36);
    expect(jsonOf(sentAsUsual(2))).toEqual([
      { d: 'billing', t: 'ChargeCard' },
      ['c', 'a', 'sOrder', 'i42', 'v3', 'r', `t${time}`],
      [{ orderId: '42' }, { orderId: '42' }],
    ]);
  });

  it('tell apart what is an operation’s own', () => {
    const [first, second] = sentAsUsual(2) as [OutgoingOperation, OutgoingOperation];
    const own = { ...second, headers: { ...ownHeaders(1), tenant: 'a' }, type: 'Other', delaySeconds: 5 };
    const cancellation = { id: idAt(5), cancels: 'earlier' };
    const foreign = outgoingMessage({ id: 'foreign', headers: ownHeaders(3) });
    const operations = [first, own, cancellation, foreign];
    expect(jsonOf(operations).slice(2)).toEqual([
      [{ orderId: '42' }, { orderId: '42' }, 0, { orderId: '42' }],
      [
        { t: 'ChargeCard' },
        { t: 'Other', s: 5, h: [7, ['tenant', 'a']] },
        { n: 5, x: 'earlier' },
        expect.anything(),
      ],
    ]);
    expect(jsonOf(operations)[3][3]).toEqual({ i: 'foreign', t: 'ChargeCard' });
    expect(restored(operations)).toEqual(operations);
  });

  it('store a header by its name where its value is not the usual one', () => {
    const odd = {
      'Sagabox.SentAt': 'yesterday',
      'Sagabox.SagaVersion': '7',
      'Sagabox.Timeout': 'yes',
      'Sagabox.ConversationId': '',
      'Sagabox.ReplyTo': 'billing',
      'Sagabox.Later': 'release',
      constructor: 'x',
    };
    const operations = [outgoingMessage({ id: idAt(0), headers: odd })];
    expect(jsonOf(operations)[1]).toEqual([
      ['Sagabox.SentAt', 'yesterday'],
      ['Sagabox.SagaVersion', '7'],
      'oyes',
      ['Sagabox.ConversationId', ''],
      'rbilling',
      ['Sagabox.Later', 'release'],
      ['constructor', 'x'],
    ]);
    expect(restored(operations)).toEqual(operations);
  });

  it('of ten messages of 137 bytes take under 200 each', () => {
    const body = { text: 'x'.repeat(126) };
    expect(pack(sentAsUsual(10, body), identity).byteLength / 10).toBeLessThan(200);
  });

  it('come back byte for byte, whatever their headers and fields are', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < samples(1000); seed += 1) {
      const operations = anyOperations(new Random(seed));
      const packed = pack(operations, identity);
      const again = unpack(packed, 's', identity);
      expect(JSON.stringify(again)).toBe(JSON.stringify(operations));
      expect(unpack(compress(packed), 'sb', identity)).toEqual(operations);
      for (const own of (JSON.parse(new TextDecoder().decode(packed))[3] ?? []) as object[])
        for (const name of Object.keys(own)) kinds.add(name);
    }
    expect([...kinds].toSorted()).toEqual(['d', 'f', 'g', 'h', 'i', 'n', 's', 't', 'u', 'x']);
  });
});

/** As handlers may have sent them: several of their headers in any order, and some operations taken back. */
function anyOperations(random: Random): OutgoingOperation[] {
  let ordinal = 0;
  const conversation = random.pick(['in-1', 'other', '']);
  return Array.from({ length: 1 + random.below(6) }, (_, index): OutgoingOperation => {
    ordinal += random.below(8) === 0 ? 2 : 0;
    const id = random.below(12) === 0 ? `own-${index}` : idAt(ordinal);
    ordinal += 1;
    if (random.below(8) === 0) return { id, cancels: random.uuid() };
    const users: [string, string][] = ['traceparent', 'tenant', '7', '__proto__', 'x'].flatMap((name) =>
      random.below(3) === 0 ? [[name, random.pick(['a', 'b'])]] : [],
    );
    const own = Object.entries(ownHeaders(index, conversation)).filter(() => random.below(10) > 0);
    const late: [string, string][] = random.below(4) === 0 ? [['Sagabox.Timeout', 'true']] : [];
    const headers = random.below(2) === 0 ? [...users, ...own, ...late] : [...own, ...users.toReversed()];
    return {
      id,
      destination: random.pick(['billing', 'billing', 'ledger']),
      type: random.pick(['A', 'A', 'B']),
      body: random.pick<JsonValue>([0, null, '', [], { a: [1, { b: 'ż' }] }, 'text']),
      headers: Object.fromEntries(headers),
      ...(random.below(3) === 0 && { delaySeconds: random.pick([5, 5, 900]) }),
      ...(random.below(3) === 0 && { dueAt: random.pick([sentAt, '2026-01-02T03:05:00.000Z']) }),
      ...(random.below(3) === 0 && { messageGroupId: random.pick(['g', 'h']) }),
      ...(random.below(3) === 0 && { format: 'cloudevents' as const }),
    };
  });
}

describe('encoded operations that are damaged', () => {
  const time = 't1';
  const [fields, headers] = [{ d: 'billing', t: 'A' }, ['c', time]];

  it.each<[string, unknown]>([
    ['no list', {}],
    ['nothing', null],
    ['an empty list', []],
    ['operations that are not encoded', sentAsUsual(2)],
    ['no bodies', [fields, headers]],
    ['bodies that are no list', [fields, headers, { length: 1 }]],
    ['fields that are a list', [[], headers, ['a']]],
    ['headers that are an object', [fields, {}, ['a']]],
    ['more parts than there are', [fields, headers, ['a'], [0], 0]],
    ['no destination', [{ t: 'A' }, headers, ['a']]],
    ['a type that is a number', [{ d: 'billing', t: 5 }, headers, ['a']]],
    ['an unknown field', [{ ...fields, z: 1 }, headers, ['a']]],
    ['a field by its whole name', [{ ...fields, destination: 'b' }, headers, ['a']]],
    ['an unknown letter of a header', [fields, ['zz'], ['a']]],
    ['an empty header', [fields, [''], ['a']]],
    ['a header that is a number', [fields, [5], ['a']]],
    ['a header without a value', [fields, [['x']], ['a']]],
    ['a header of three parts', [fields, [['x', 'a', 'b']], ['a']]],
    ['a header whose value is a number', [fields, [['x', 5]], ['a']]],
    ['a time that is none', [fields, ['t!'], ['a']]],
    ['parts for other operations', [fields, headers, ['a'], [0, 0]]],
    ['parts that are a string', [fields, headers, ['a'], ['b']]],
    ['a place of a header that is none', [fields, headers, ['a'], [{ h: [3, 'o'] }]]],
    ['places of headers that go back', [fields, headers, ['a'], [{ h: [2, 'o', 1, 'k1'] }]]],
    ['a place of half a header', [fields, headers, ['a'], [{ h: [0.5, 'o'] }]]],
    ['a place without a header', [fields, headers, ['a'], [{ h: [1] }]]],
    ['headers of its own that are no list', [fields, headers, ['a'], [{ h: 'o' }]]],
    ['an ordinal below zero', [fields, headers, ['a'], [{ n: -1 }]]],
    ['an ordinal that is a string', [fields, headers, ['a'], [{ n: '1' }]]],
    ['an id that is a number', [fields, headers, ['a'], [{ i: 5 }]]],
    ['a cancellation of nothing', [fields, headers, [0], [{ x: null }]]],
    ['a delay beyond that of SQS', [{ ...fields, s: 901 }, headers, ['a']]],
    ['an unknown format', [{ ...fields, f: 'xml' }, headers, ['a']]],
  ])('are refused: %s', (_what, stored) => {
    const bytes = new TextEncoder().encode(JSON.stringify(stored));
    expect(() => unpack(bytes, 's', identity)).toThrow();
    expect(() => unpack(compress(bytes), 'sb', identity)).toThrow();
  });

  it('are the others of those that are whole', () => {
    const bytes = new TextEncoder().encode(JSON.stringify([fields, headers, ['a'], [0]]));
    expect(unpack(bytes, 's', identity)).toHaveLength(1);
  });

  it('are not made into more than 16 MiB of operations', () => {
    const bodies = Array(120_000).fill(0);
    const bytes = new TextEncoder().encode(JSON.stringify([fields, headers, bodies]));
    expect(bytes.byteLength).toBeLessThan(MAX_PACKED_BYTES / 50);
    const bomb = compress(bytes);
    expect(bomb.byteLength).toBeLessThan(200);
    expect(() => unpack(bomb, 'sb', identity)).toThrow(
      `its outgoing messages take more than ${MAX_PACKED_BYTES} bytes`,
    );
  });
});

it('what takes more than 16 MiB once it is whole is refused when it is packed, and all else can be read', () => {
  // Stored once, and counted for each operation.
  const headers = { ...ownHeaders(0), tenant: 'x'.repeat(1_000_000) };
  const many = (count: number) => sentAsUsual(count).map((operation) => ({ ...operation, headers }));
  expect(restored(many(15))).toEqual(many(15));
  const error = refusalOf(() => pack(many(16), identity));
  expect(error).toMatchObject({ code: 'TransactionLimit', facts: { maximum: MAX_PACKED_BYTES } });
});
