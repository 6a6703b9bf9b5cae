import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barChart } from '../../lib/charts/chart.ts';
import { writeJson } from '../../test/support/command.ts';
import type { BenchmarkRecord, CompleteRecord } from '../benchmark/record.ts';
import { benchmarkPage, chartFile } from './page.ts';
import { sectionsOf } from './sections.ts';

const docs = join(import.meta.dirname, '../../docs');

/** What docs/proof/benchmarks.md is made of. */
export const recordedFile = join(docs, 'proof/benchmarks.json');

interface DocumentFile {
  /** From the folder of the documents. */
  readonly path: string;
  readonly text: string;
}

/** The page and its charts. */
export function benchmarkDocuments(record: CompleteRecord): DocumentFile[] {
  const charts = Object.values(sectionsOf(record)).flatMap(({ charts }) => Object.entries(charts));
  return [
    { path: 'proof/benchmarks.md', text: benchmarkPage(record) },
    ...charts.map(([name, chart]) => ({
      path: join('images', chartFile(name)),
      text: `${barChart(chart).markup}\n`,
    })),
  ];
}

/**
 * Writes the figures, and the documents that are made of them: all, or nothing.
 *
 * @throws Error if the run was a short one or did not measure all parts, or if a missed goal has no reason
 */
export async function writeDocuments(record: BenchmarkRecord, folder = docs): Promise<void> {
  const complete = completeRecord(record);
  const documents = benchmarkDocuments(complete);
  for (const name of ['proof', 'images']) await mkdir(join(folder, name), { recursive: true });
  await writeJson(join(folder, 'proof/benchmarks.json'), complete);
  for (const { path, text } of documents) await writeFile(join(folder, path), text);
  const images = await readdir(join(folder, 'images'));
  const drawn = documents.map(({ path }) => path);
  for (const file of images.filter((name) => /^benchmark-.*\.svg$/.test(name))) {
    if (!drawn.includes(join('images', file))) await rm(join(folder, 'images', file));
  }
}

export function completeRecord(record: BenchmarkRecord): CompleteRecord {
  const { cost, overhead, bundle, coldLoadMs, throughput, contention, growth } = record;
  if (record.depth !== 'full') throw new Error('The documents are made of a full run, not of a short one');
  if (!cost || !overhead || !bundle || !coldLoadMs || !throughput || !contention || !growth) {
    throw new Error('The documents are made of all parts of the benchmark: some were not measured');
  }
  return { ...record, cost, overhead, bundle, coldLoadMs, throughput, contention, growth };
}
