import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packedBytes, plannedRecord } from '../../../lib/capacity/records/planned-record.ts';
import { wholeShape } from '../../../lib/capacity/shape-defaults.ts';
import { operationsOf } from '../../../lib/cli/measure/stored-sizes.ts';
import { compress } from '../../../lib/dynamodb/compression.ts';
import { itemSize } from '../../../lib/dynamodb/item-size.ts';
import { tableDefaults } from '../../../lib/dynamodb/table-defaults.ts';
import { pack } from '../../../lib/outbox/packing.ts';
import { outboxWrite } from '../../../lib/outbox/record.ts';
import {
  type OutboxTarget,
  toChunkItems,
  toDispatchedItem,
  toRecordItem,
} from '../../../lib/outbox/record-item.dynamodb.ts';
import { fingerprint } from '../../support/commits.ts';
import { randomText } from '../../support/random-text.ts';

const seed = 20260103;
const messageId = '9f3a52f4-3c06-4a6e-b7a6-7a4c3c1f9d11';
/** Its expiry and times have no zeros at their end, which would take less. */
const at = new Date('2026-11-21T10:11:12.345Z');

interface Message {
  readonly endpoint: string;
  readonly outgoing: number;
  readonly text: number;
  /** Of each text, the rest repeats itself. */
  readonly random: number;
  readonly isSaga: boolean;
  readonly destinations: number;
}

const anyMessage: fc.Arbitrary<Message> = fc.record({
  endpoint: fc.stringMatching(/^[a-z]{1,40}$/),
  outgoing: fc.integer({ min: 0, max: 12 }),
  text: fc.oneof(fc.nat(2_000), fc.nat(80_000)),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
  isSaga: fc.boolean(),
  destinations: fc.integer({ min: 1, max: 4 }),
});

/** What is really stored, and the plan of it. */
function storedAndPlanned(given: Message) {
  const { endpoint, outgoing, text, random, isSaga, destinations } = given;
  const outbox: OutboxTarget = {
    table: { ...tableDefaults, tableName: 'outbox' },
    endpoint,
    deduplicationPeriodSeconds: 7 * 24 * 3600,
  };
  const bodies = Array.from({ length: outgoing }, (_, index) => {
    const unordered = randomText(Math.floor(text * random), index + 1);
    return unordered + 'x'.repeat(text - unordered.length);
  });
  const saga = { sagaBytes: isSaga ? 1_000 : 0, destinations };
  const message = { id: messageId, type: 'Change', body: { sagaId: messageId, note: '', bodies } } as const;
  const operations = operationsOf(message, wholeShape(saga), endpoint);
  const write = outboxWrite({ endpoint, messageId, operations, storedAt: at, fingerprint });
  const metadata = outboxWrite({ endpoint, messageId, operations: [], storedAt: at, fingerprint });
  const packed = pack(operations, { endpoint, messageId });
  const shape = wholeShape({
    ...saga,
    outgoing,
    messageBytes: outgoing === 0 ? 500 : Buffer.byteLength(JSON.stringify(operations[0])),
    compressionRatio: compress(packed).byteLength / packed.byteLength,
    metadataBytes: itemSize(toRecordItem(outbox, metadata, at)),
  });
  const stored = {
    recordBytes: itemSize(toRecordItem(outbox, write, at)),
    chunkBytes: toChunkItems(outbox, write).map(itemSize),
    dispatchedBytes: itemSize(toDispatchedItem(outbox, write, at)),
  };
  return { stored, planned: plannedRecord(shape), encoding: write.encoding };
}

describe('the planned record', () => {
  it(`is to the byte what the runtime stores (seed ${seed})`, () => {
    const met = new Set<string>();
    const property = fc.property(anyMessage, (message) => {
      const { stored, planned, encoding } = storedAndPlanned(message);
      expect(planned).toEqual(stored);
      met.add(`${encoding ?? 'none'}, ${stored.chunkBytes.length === 0 ? 'one item' : 'chunks'}`);
    });
    fc.assert(property, { seed, numRuns: 150 });
    expect([...met].sort()).toEqual(['none, one item', 's, one item', 'sb, chunks', 'sb, one item']);
  });

  it.each([
    ['not compressed where one unit is enough anyway', 3, 500, 0.1, 1, 830],
    ['not compressed where that saves no unit', 10, 500, 0.8, 2, 1_811],
    ['compressed where it saves one', 10, 500, 0.4, 1, 998],
  ])('is %s', (_case, outgoing, messageBytes, compressionRatio, units, bytes) => {
    const { recordBytes } = plannedRecord(wholeShape({ outgoing, messageBytes, compressionRatio }));
    expect(recordBytes).toBe(bytes);
    expect(Math.ceil(recordBytes / 1024)).toBe(units);
  });

  it.each([
    [350 * 1024, 0],
    [350 * 1024 + 1, 2],
    [2 * 350 * 1024, 2],
    [2 * 350 * 1024 + 1, 3],
  ])('spills %i packed bytes to %i chunks', (stored, chunks) => {
    const shapeOf = (messageBytes: number) => wholeShape({ outgoing: 1, messageBytes });
    const besidesBody = packedBytes(shapeOf(1_000)).stored - 1_000;
    const { chunkBytes } = plannedRecord(shapeOf(stored - besidesBody));
    expect(chunkBytes).toHaveLength(chunks);
  });

  it('takes messages that are smaller than their headers for such without a body', () => {
    const recordOf = (messageBytes: number) => plannedRecord(wholeShape({ outgoing: 2, messageBytes }));
    expect(recordOf(1)).toEqual(recordOf(100));
    expect(recordOf(600).recordBytes).toBe(recordOf(500).recordBytes + 200);
  });
});
