import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Outbox,
  toChunkItems,
  toDispatchedItem,
  toRecordItem,
} from '../../../lib/adapters/dynamodb/outbox/outbox-item.ts';
import { packedRecord } from '../../../lib/capacity/packed/packed-record.ts';
import { wholeShape } from '../../../lib/capacity/shape-defaults.ts';
import { outboxWrite } from '../../../lib/core/outbox/commit.ts';
import { pack } from '../../../lib/core/outbox/packing.ts';
import { compress } from '../../../lib/core/storage/compression.ts';
import { itemSize } from '../../../lib/core/storage/item-size.ts';
import { tableDefaults } from '../../../lib/core/storage/table-defaults.ts';
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
  readonly relayIndex: boolean;
}

const anyMessage: fc.Arbitrary<Message> = fc.record({
  endpoint: fc.stringMatching(/^[a-z]{1,40}$/),
  outgoing: fc.integer({ min: 0, max: 12 }),
  text: fc.oneof(fc.nat(2_000), fc.nat(80_000)),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
  relayIndex: fc.boolean(),
});

/** What is really stored, and the plan of it. */
function storedAndPlanned({ endpoint, outgoing, text, random, relayIndex }: Message) {
  const outbox: Outbox = {
    table: { ...tableDefaults, tableName: 'outbox' },
    endpoint,
    deduplicationPeriodSeconds: 7 * 24 * 3600,
    relayIndex,
  };
  const operations = Array.from({ length: outgoing }, (_, index) => {
    const unordered = randomText(Math.floor(text * random), index + 1);
    const body = unordered + 'x'.repeat(text - unordered.length);
    return { id: messageId, destination: 'shipping', type: 'Ship', body, headers: {} };
  });
  const write = outboxWrite({ endpoint, messageId, operations, storedAt: at, fingerprint, relayIndex });
  const metadata = outboxWrite({ endpoint, messageId, operations: [], storedAt: at, fingerprint });
  const packed = pack(operations);
  const shape = wholeShape({
    outgoing,
    messageBytes: outgoing === 0 ? 500 : Buffer.byteLength(JSON.stringify(operations[0])),
    compressionRatio: compress(packed).byteLength / packed.byteLength,
    metadataBytes: itemSize(toRecordItem(outbox, metadata, at)),
    relayIndex,
  });
  const stored = {
    recordBytes: itemSize(toRecordItem(outbox, write, at)),
    chunkBytes: toChunkItems(outbox, write).map(itemSize),
    dispatchedBytes: itemSize(toDispatchedItem(outbox, write, at)),
  };
  return { stored, planned: packedRecord(shape), encoding: write.encoding };
}

describe('the planned record', () => {
  it(`is to the byte what the runtime stores (seed ${seed})`, () => {
    const met = new Set<string>();
    const property = fc.property(anyMessage, (message) => {
      const { stored, planned, encoding } = storedAndPlanned(message);
      expect(planned).toEqual(stored);
      met.add(`${encoding ?? 'plain'}, ${stored.chunkBytes.length === 0 ? 'one item' : 'chunks'}`);
    });
    fc.assert(property, { seed, numRuns: 150 });
    expect([...met].sort()).toEqual(['br, chunks', 'br, one item', 'plain, one item']);
  });

  it.each([
    ['not compressed where one unit is enough anyway', 1, 700, 0.1, 1, 878],
    ['not compressed where that saves no unit', 3, 500, 0.95, 2, 1_680],
    ['compressed where it saves one', 3, 500, 0.4, 1, 788],
  ])('is %s', (_case, outgoing, messageBytes, compressionRatio, units, bytes) => {
    const { recordBytes } = packedRecord(wholeShape({ outgoing, messageBytes, compressionRatio }));
    expect(recordBytes).toBe(bytes);
    expect(Math.ceil(recordBytes / 1024)).toBe(units);
  });

  it.each([
    [350 * 1024, 0],
    [350 * 1024 + 1, 2],
    [2 * 350 * 1024, 2],
    [2 * 350 * 1024 + 1, 3],
  ])('spills %i packed bytes to %i chunks', (packedBytes, chunks) => {
    const { chunkBytes } = packedRecord(wholeShape({ outgoing: 1, messageBytes: packedBytes - 2 }));
    expect(chunkBytes).toHaveLength(chunks);
  });
});
