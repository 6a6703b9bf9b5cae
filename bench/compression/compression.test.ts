import { describe, expect, it } from '@jest/globals';
import { BROTLI_QUALITY, compress } from '../../lib/dynamodb/compression.ts';
import { pack } from '../../lib/outbox/packing.ts';
import { readPage, section, tableRows } from '../../test/support/page-tables.ts';
import { codecs } from './codecs.ts';
import { measure } from './measure.ts';
import { INCOMING_ID, sampleOperations } from './sample.ts';
import { comparisonTable } from './table.ts';

const identity = { endpoint: 'orders', messageId: INCOMING_ID };

const codecNamed = (name: string) => {
  const codec = codecs.find((candidate) => candidate.name === name);
  if (codec === undefined) throw new Error(`No codec '${name}'`);
  return codec;
};

describe('the measurement of compression', () => {
  it('has the codec of the outbox among those that it compares', () => {
    const packed = pack(sampleOperations(10), identity);
    expect(codecNamed(`brotli ${BROTLI_QUALITY}`).compress(packed)).toEqual(compress(packed));
  });

  it('takes messages of about 500 bytes, and the same ones each time', () => {
    const operations = sampleOperations(100);
    expect(pack(operations, identity).byteLength / 100).toBeLessThan(300);
    expect(JSON.stringify(operations).length / 100).toBeGreaterThan(450);
    expect(JSON.stringify(operations).length / 100).toBeLessThan(550);
    expect(sampleOperations(20)).toEqual(sampleOperations(20));
  });

  it('counts the write units of a whole record', () => {
    const plain = measure(codecNamed('none'), sampleOperations(10));
    expect(plain).toMatchObject({
      messages: 10,
      codec: 'none',
      writeUnits: Math.ceil((plain.bytes + 200) / 1024),
    });
    const compressed = measure(codecNamed(`brotli ${BROTLI_QUALITY}`), sampleOperations(10));
    expect(compressed.writeUnits).toBe(1);
    expect(comparisonTable([{ ...compressed, microseconds: 51.6 }])).toContain(
      `| 10 | brotli ${BROTLI_QUALITY} | ${compressed.bytes} | 52 | 1 |`,
    );
  });

  it('is what docs/reference/capacity.md states of the codec of the outbox', () => {
    const rows = tableRows(section(readPage('reference/capacity.md'), '### Compression'));
    const cells = rows.get(`**brotli ${BROTLI_QUALITY}**`);
    const counts = [1, 3, 10, 100, 500];
    expect(cells).toHaveLength(counts.length);
    for (const [index, messages] of counts.entries()) {
      const { bytes, writeUnits } = measure({ name: 'own', compress }, sampleOperations(messages), 1);
      expect(cells?.[index]).toContain(`${bytes} B, ${writeUnits}, `);
    }
  });
});
