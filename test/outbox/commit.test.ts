import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue } from '../../lib/messages/message.ts';
import { assertWriteCount, type Commit, isEmpty } from '../../lib/outbox/commit.ts';
import { joinChunks, pack, unpack } from '../../lib/outbox/packing.ts';
import { outboxWrite as outboxWriteOf, recordOf } from '../../lib/outbox/record.ts';
import { recordItemSizes, recordWriteUnits } from '../../lib/outbox/record-size.ts';
import { refusalOf } from '../sending/unit-of-work-of.ts';
import {
  at,
  commitOf,
  fingerprint,
  outboxWrite,
  outboxWriteAsCommitted,
  storedRecord,
  userPuts,
} from '../support/commits.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { randomText } from '../support/random-text.ts';
import { sagaCreation } from '../support/saga-writes.ts';
import { sampled } from '../support/samples.ts';

const kilobytes = 1024;
const twoChunks = outboxWrite('in-1', operationsOfSize(350 * kilobytes + 1));
const unitsOf = (record: Parameters<typeof recordWriteUnits>[1]) => recordWriteUnits('orders', record);

/** Operations that make a record item of exactly so many bytes while they are not compressed. */
function operationsOfItemSize(itemBytes: number, text: (length: number) => string) {
  const empty = outboxWriteAsCommitted('in-1', [outgoingMessage({ body: '' })]);
  const [emptySize = 0] = recordItemSizes('orders', empty);
  return [outgoingMessage({ body: text(itemBytes - emptySize) })];
}

describe('the outbox record of a commit', () => {
  it('is as good as dispatched when there is nothing to send', () => {
    expect(outboxWriteAsCommitted('in-1', [])).toEqual({
      messageId: 'in-1',
      dispatched: true,
      storedAt: at,
      fingerprint,
      operations: [],
      encoding: undefined,
      packed: undefined,
      chunks: [],
      chunkCount: 0,
    });
  });

  it('holds its operations, packed', () => {
    const operations = [outgoingMessage()];
    const record = outboxWriteAsCommitted('in-1', operations);
    expect(record).toMatchObject({ dispatched: false, operations, chunks: [], chunkCount: 0 });
    expect(record.packed?.byteLength).toBeGreaterThan(0);
  });

  it('leaves operations to its chunks when they are large even if compressed', () => {
    expect(outboxWriteAsCommitted('in-1', operationsOfSize(450 * kilobytes)).chunkCount).toBe(0);
    const larger = outboxWriteAsCommitted('in-1', [outgoingMessage({ body: randomText(450 * kilobytes) })]);
    expect(larger).toMatchObject({ dispatched: false, encoding: 'sb', packed: undefined, chunkCount: 2 });
    expect(larger.chunks).toHaveLength(2);
  });
});

describe('compression of an outbox record', () => {
  it.each([
    [1024, 's', 1],
    [1025, 'sb', 1],
    [20 * 1024, 'sb', 1],
  ])('of %i bytes that repeat themselves: %s, to %i write units', (itemBytes, encoding, units) => {
    const operations = operationsOfItemSize(itemBytes, (length) => 'x'.repeat(length));
    const record = outboxWriteAsCommitted('in-1', operations);
    expect(record.encoding).toBe(encoding);
    expect(unitsOf(record)).toBe(units);
  });

  it.each([
    [2048, 's', 2],
    [2049, 'sb', 2],
  ])('of %i bytes without order: %s, to %i write units', (itemBytes, encoding, units) => {
    const record = outboxWriteAsCommitted('in-1', operationsOfItemSize(itemBytes, randomText));
    expect(record.encoding).toBe(encoding);
    expect(unitsOf(record)).toBe(units);
  });

  it('takes the length of the keys into account', () => {
    const operations = operationsOfItemSize(1024, (length) => 'x'.repeat(length));
    const content = { endpoint: 'orders', operations, storedAt: at, fingerprint };
    expect(outboxWriteOf({ ...content, messageId: 'in-1' }).encoding).toBe('s');
    expect(outboxWriteOf({ ...content, messageId: 'in-10' }).encoding).toBe('sb');
    expect(outboxWriteOf({ ...content, messageId: 'in-1', endpoint: 'billing' }).encoding).toBe('sb');
  });

  const bodies = fc.array(
    fc.oneof(
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
      fc.record({ seed: fc.nat(), length: fc.nat(3000) }).map(({ seed, length }) => randomText(length, seed)),
      fc.nat(3000).map((length) => 'ab'.repeat(length)),
    ),
    { minLength: 1, maxLength: 8 },
  );

  it('is there when it lowers the write units, and only then; the operations come back in any case', () => {
    const encodings = new Set<unknown>();
    fc.assert(
      fc.property(bodies, fc.string({ maxLength: 600 }), (values, messageId) => {
        const operations = values.map((body, index) =>
          outgoingMessage({ id: `out-${index}`, body: JSON.parse(JSON.stringify(body)) }),
        );
        const identity = { endpoint: 'orders', messageId };
        const content = { ...identity, operations, storedAt: at, fingerprint };
        const packed = pack(operations, identity);
        const record = outboxWriteAsCommitted(messageId, operations);
        const uncompressedUnits = unitsOf(recordOf(content, packed, 's'));
        encodings.add(record.encoding);
        if (record.encoding === 's') expect(unitsOf(record)).toBe(uncompressedUnits);
        else expect(unitsOf(record)).toBeLessThan(uncompressedUnits);
        const stored = record.packed ?? joinChunks(record.chunks);
        expect(record.encoding && unpack(stored, record.encoding, identity)).toEqual(operations);
      }),
      sampled(300, 4),
    );
    expect(encodings).toEqual(new Set(['s', 'sb']));
  });
});

describe('a commit', () => {
  it.each<[string, Commit, boolean]>([
    ['nothing', commitOf({}), true],
    ['a saga', sagaCreation({}), false],
    ['an outbox record', storedRecord('in-1'), false],
    ['a write of the handler', commitOf({ transactionItems: userPuts('t', 1) }), false],
  ])('of %s is empty: %#', (_case, commit, empty) => {
    expect(isEmpty(commit)).toBe(empty);
  });

  const { saga } = sagaCreation({});
  const { outbox } = storedRecord('in-1');

  it.each<[string, Partial<Commit>, number]>([
    ['nothing else', {}, 100],
    ['a saga', { saga }, 99],
    ['an outbox record', { outbox }, 99],
    ['a saga and an outbox record', { saga, outbox }, 98],
    ['a saga, an outbox record and two chunks', { saga, outbox: twoChunks }, 96],
  ])('with %s takes so many writes of the handler, and not one more', (_case, own, maximum) => {
    const withUserWrites = (count: number) => commitOf({ ...own, transactionItems: userPuts('t', count) });
    expect(() => assertWriteCount(withUserWrites(maximum))).not.toThrow();

    const error = refusalOf(() => assertWriteCount(withUserWrites(maximum + 1)));
    expect(error.code).toBe('TransactionLimit');
    expect(error.facts).toMatchObject({
      actual: 101,
      maximum: 100,
      remedy: 'add fewer items to the transaction, or split the work over several messages',
    });
    expect(error.message).toContain(`${maximum + 1} added by the handler, ${100 - maximum} by sagabox`);
  });
});
