import { expect, it } from '@jest/globals';
import { measure } from '../../bench/compression/measure.ts';
import { sampleOperations } from '../../bench/compression/sample.ts';
import { BROTLI_QUALITY, compress } from '../../lib/core/outbox/compression.ts';
import { readPage, section, tableRows } from './page-tables.ts';

it('docs/reference/cost.md has the bytes and write units that the code makes of the measured messages', () => {
  const rows = tableRows(section(readPage('reference/cost.md'), '## Compression'));
  const cells = rows.get(`**brotli ${BROTLI_QUALITY}**`);
  const counts = [1, 3, 10, 100, 500];
  expect(cells).toHaveLength(counts.length);
  for (const [index, messages] of counts.entries()) {
    const { bytes, writeUnits } = measure({ name: 'own', compress }, sampleOperations(messages), 1);
    expect(cells?.[index]).toContain(`${bytes} B, ${writeUnits}, `);
  }
});
