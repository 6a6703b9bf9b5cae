import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompleteRecord } from '../../bench/benchmark/record.ts';
import { goals } from '../../bench/limits/goals.ts';
import { reasons } from '../../bench/limits/reasons.ts';
import { writeDocuments } from '../../bench/report/docs.ts';
import { benchmarkPage } from '../../bench/report/page.ts';
import { reportText } from '../../bench/report/text.ts';
import { sampleRecord } from './sample-record.ts';

const page = benchmarkPage(sampleRecord, {});
const slow: CompleteRecord = {
  ...sampleRecord,
  throughput: { ...sampleRecord.throughput, 1: { sagabox: 149, itemized: 100, ratio: 1.49 } },
};
const headings = [
  'Measured with',
  'Goals',
  'Cost',
  'Overhead',
  'Bundle',
  'Start',
  'Throughput',
  'Contention',
  'Growth',
  'What keeps it so',
];

describe('the page of the benchmarks', () => {
  it('says that it is made, and how', () => {
    expect(page).toMatch(
      /^<!-- Generated from benchmarks\.json by `npm run bench -- --from docs\/benchmarks\.json --docs`/,
    );
  });

  it('has a section for each part, the machine, the versions and the date', () => {
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(headings);
    expect(page).toContain('| processor | A processor, 2 cores |');
    expect(page).toContain('| memory | 24 GB |');
    expect(page).toContain('| `node` | 24.0.0 |');
    expect(page).toContain('| date | 2026-01-31 |');
  });

  it('has the figures of both sides', () => {
    expect(page).toContain('| batch10 | 13 | 20 | 50 | 60 | 20 | 80 |');
    expect(page).toContain('| discard | 2 | 2 | 4 | 4 | 2 | 3 |');
    expect(page).toContain('| Powertools | 400 µs | 440 µs | 200 kB | 400 µs | 440 µs | 200 kB |');
    expect(page).toContain('| N=10 incompressible | 4 | 2 | 14 | 6 | 2 | 35 |');
    expect(page).toContain('| 50, with the default `concurrency` of 10 | 800 | 400 | 2.000 |');
    expect(page).toContain('| sagabox | 29.9 kB | 9.9 kB |');
    expect(page).toContain('| others | 0.7 kB |');
    expect(page).toContain('| bare middy | 2 ms | 2 ms |');
    expect(page).toContain(
      'loads\n`@aws-sdk/client-dynamodb` and `@aws-sdk/util-dynamodb` with the bundle, Powertools none of it,',
    );
    expect(page).toContain('| 1 | 150 | 100 | 1.500 |');
    expect(page).toContain('| blind spin | 200 | 200 | 0 | 0 | 100 | 100 | 2 | 4 | 4 | 3 s |');
    expect(page).toContain('| 1,000,000 | 4 | 2 | 5 | 5.5 ms |');
    expect(page).toContain('| 1,000,000 | 1 | 0.5 | 0 | 2 ms |');
    expect(page).toContain('| 100 kB | 4 | 2.2 | 5.5 | 5.5 ms | 2.5 |');
  });

  it('has no figure that is none', () => {
    expect(page).not.toMatch(/NaN|Infinity|undefined|∞|null/);
  });

  it('has tables whose rows are as long as their heads', () => {
    const tables = page.split('\n\n').filter((block) => block.startsWith('|'));
    expect(tables.length).toBeGreaterThanOrEqual(headings.length);
    for (const table of tables) {
      const columns = table.split('\n').map((row) => row.split('|').length);
      expect(new Set(columns).size).toBe(1);
    }
  });

  it('shows goals that are reached, and gives no reason for them', () => {
    expect(page).toContain(
      '| Messages per second, 1 at a time: sagabox / itemized | at least 1.500 | 1.500 | reached |',
    );
    expect(benchmarkPage(sampleRecord, { throughput1: 'Nobody knows.' })).toBe(page);
  });

  it('shows a goal that is not reached with its reason', () => {
    const shown = benchmarkPage(slow, { throughput1: 'The engine was slow.' });
    expect(shown).toContain('| at least 1.500 | 1.490 | **not reached** |');
    expect(shown).toContain(
      '**Messages per second, 1 at a time: sagabox / itemized: 1.490.** The engine was slow.',
    );
  });

  it('tells the reason of several goals once', () => {
    const bundle = { ...sampleRecord.bundle, sagaboxKB: 39, sagaboxGzipKB: 11 };
    const shown = benchmarkPage(
      { ...sampleRecord, bundle },
      { bundleKB: 'All of it is needed.', bundleGzipKB: 'All of it is needed.' },
    );
    expect(shown).toContain(
      '**Bundle, minified: 39.0 kB; Bundle, minified and gzipped: 11.0 kB.** All of it is needed.',
    );
    expect(shown.split('All of it is needed.')).toHaveLength(2);
  });

  it('is not made as long as a reason is missing', () => {
    expect(() => benchmarkPage(slow, { throughput10: 'The engine was slow.' })).toThrow(
      'reasons.ts does not tell why: throughput1 (Messages per second, 1 at a time: sagabox / itemized: 1.490, at least 1.500)',
    );
  });
});

describe('what a run prints', () => {
  it('is the tables of the parts that were measured, and their goals', () => {
    const { date, depth, machine, versions, cost } = sampleRecord;
    const text = reportText({ date, depth, machine, versions, cost });
    expect(text).toMatch(/^batch10 +13 +20 +50 +60 +20 +80$/m);
    expect(text).toMatch(/N = 1: sagabox \/ itemized +at most 0\.630 +0\.625 +reached$/m);
    expect(text).not.toMatch(/Overhead|Throughput|Bundle|NaN|undefined/);
  });

  it('tells a goal that is not reached, and why', () => {
    expect(reportText(slow, { throughput1: 'The engine was slow.' })).toMatch(
      /\n\nMessages per second, 1 at a time: sagabox \/ itemized: 1\.490\nThe engine was slow\.$/,
    );
    expect(reportText(slow, {})).toContain('Nobody has told why yet');
    expect(reportText(sampleRecord)).not.toContain('Nobody has told');
    expect(reportText(slow)).toMatch(/1 at a time: .* at least 1\.500 +1\.490 +NOT REACHED$/m);
    expect(reportText(sampleRecord)).not.toContain('NOT REACHED');
  });
});

describe('the documents', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sagabox-benchmarks-'));
    await mkdir(join(folder, 'images'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are the figures, the page and the images that it shows; others that it showed before are gone', async () => {
    await writeFile(join(folder, 'images', 'benchmark-gone.svg'), '');
    await writeFile(join(folder, 'images', 'capacity.svg'), '');
    await writeDocuments(sampleRecord, folder);
    expect(JSON.parse(await readFile(join(folder, 'benchmarks.json'), 'utf8'))).toEqual(sampleRecord);
    const shown = [...page.matchAll(/\]\(images\/([^)]+)\)/g)].map(([, file]) => file);
    expect(shown.length).toBeGreaterThan(7);
    expect((await readdir(join(folder, 'images'))).sort()).toEqual([...shown, 'capacity.svg'].sort());
    expect(await readFile(join(folder, 'benchmarks.md'), 'utf8')).toBe(page);
  });

  it('are not made of a short run, or of some parts', async () => {
    await expect(writeDocuments({ ...sampleRecord, depth: 'short' }, folder)).rejects.toThrow('full run');
    const { growth: _growth, ...others } = sampleRecord;
    await expect(writeDocuments(others, folder)).rejects.toThrow('all parts');
  });

  it('that need a reason which is missing are not written, and those that were there before are left', async () => {
    await writeDocuments(sampleRecord, folder);
    const { 'N=1': one } = sampleRecord.cost;
    const dearer = { ...sampleRecord.cost, 'N=1': { ...one, sagabox: { ...one.sagabox, wcu: 6 } } };
    const record: CompleteRecord = { ...sampleRecord, cost: dearer };
    await expect(writeDocuments(record, folder)).rejects.toThrow('does not tell why: wcuN1');
    expect(JSON.parse(await readFile(join(folder, 'benchmarks.json'), 'utf8'))).toEqual(sampleRecord);
    expect(await readFile(join(folder, 'benchmarks.md'), 'utf8')).toBe(page);
  });
});

describe('the reasons that are told', () => {
  it('are paragraphs, of goals', () => {
    for (const [name, reason] of Object.entries(reasons)) {
      expect(Object.keys(goals)).toContain(name);
      expect(reason).toMatch(/^[A-Z][\s\S]+\.$/);
      expect(reason).not.toContain('\n\n');
    }
  });
});
