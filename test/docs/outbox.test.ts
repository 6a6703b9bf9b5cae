import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { measure } from '../../bench/compression/measure.ts';
import { sampleOperations } from '../../bench/compression/sample.ts';
import { limits } from '../../lib/core/limits.ts';
import { BROTLI_QUALITY, compress } from '../../lib/core/outbox/compression.ts';
import { MAXIMUM_PACKED_BYTES, MAXIMUM_PACKED_ITEM_BYTES } from '../../lib/core/outbox/packing.ts';

const kilobytes = 1024;
const megabytes = 1024 * kilobytes;

describe('docs/guide/outbox.md', () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile(new URL('../../docs/guide/outbox.md', import.meta.url), 'utf8');
  });

  it('states the limits of the code', () => {
    const { messageBytes, transactionBytes, transactionItems, itemBytes } = limits;
    expect(page).toContain(`attributes included | ${messageBytes / megabytes} MiB |`);
    expect(page).toContain(`before compression | ${MAXIMUM_PACKED_BYTES / megabytes} MiB |`);
    expect(page).toContain(`own writes | ${transactionBytes / megabytes} MB |`);
    expect(page).toContain(`number of these items | ${transactionItems} |`);
    expect(page).toContain(`each of them | ${itemBytes / kilobytes} KB |`);
    expect(page).toContain(`of more than ${MAXIMUM_PACKED_ITEM_BYTES / kilobytes} KB, after compression`);
    expect(page).toContain(`inflate beyond ${MAXIMUM_PACKED_BYTES / megabytes} MiB`);
  });

  it('states the quality, and the bytes and write units that the code makes of the measured messages', () => {
    expect(page).toContain(`with quality ${BROTLI_QUALITY}`);
    const row = page.split('\n').find((line) => line.startsWith(`| **brotli ${BROTLI_QUALITY}**`)) ?? '';
    const cells = row.split('|').slice(2, -1);
    const counts = [1, 3, 10, 100, 500];
    expect(cells).toHaveLength(counts.length);
    for (const [index, messages] of counts.entries()) {
      const { bytes, writeUnits } = measure({ name: 'own', compress }, sampleOperations(messages), 1);
      expect(cells[index]).toContain(` ${bytes} B, ${writeUnits}, `);
    }
  });
});
