import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barChart } from '../../lib/charts/chart.ts';
import { defaults } from '../../lib/compose/defaults.ts';
import { writeJson } from '../../test/support/command.ts';
import type { Figures } from '../benchmark/figures.ts';
import { partNames } from '../benchmark/measure-parts.ts';
import type { BenchmarkRecord, CompleteRecord } from '../benchmark/record.ts';
import { sizeHistory } from '../bundle/size-history.ts';
import { costBounds } from '../limits/cost-bounds.ts';
import { serviceTimesMs } from '../throughput/service-times.ts';
import { formatKB } from './format.ts';
import { goalsReport } from './goals.ts';
import { mediansAndMeans, type Section, sectionsOf } from './sections.ts';
import { markdownTable, plainTable } from './tables.ts';

const docs = join(import.meta.dirname, '../../docs');
/** What docs/proof/benchmarks.md is made of. */
export const recordedFile = join(docs, 'proof/benchmarks.json');

/** What a run prints: the tables of the measured parts, their goals, and why goals are missed. */
export function reportText({ figures }: BenchmarkRecord): string {
  const sections = Object.values(sectionsOf(figures));
  const goals = goalsReport(figures);
  return [
    ...sections.flatMap(({ heading, tables }) => [heading, ...tables.map(plainTable)]),
    ...(goals ? ['Goals', plainTable(goals.table)] : []),
    ...(goals?.reasons ?? []).map(({ missed, reason = 'No reason is recorded.' }) => `${missed}\n${reason}`),
  ].join('\n\n');
}

/**
 * Writes docs/proof/benchmarks.json, the page that is made of it, and its charts. The figures come first:
 * they took long to measure.
 *
 * @throws Error if the run was a short one or did not measure all parts, or if a missed goal has no reason
 */
export async function writeDocuments(record: BenchmarkRecord, folder = docs): Promise<void> {
  const complete = completeRecord(record);
  for (const name of ['proof', 'images']) await mkdir(join(folder, name), { recursive: true });
  await writeJson(join(folder, 'proof/benchmarks.json'), complete);
  const documents = await benchmarkDocuments(complete);
  for (const [path, text] of Object.entries(documents)) await writeFile(join(folder, path), text);
  for (const file of await readdir(join(folder, 'images'))) {
    const isGone = /^benchmark-.*\.svg$/.test(file) && !(`images/${file}` in documents);
    if (isGone) await rm(join(folder, 'images', file));
  }
}

export function completeRecord(record: BenchmarkRecord): CompleteRecord {
  const missing = partNames.filter((part) => record.figures[part] === undefined);
  if (record.depth === 'full' && missing.length === 0) return record as CompleteRecord;
  throw new Error('The documents need a full run of all parts: run without --short and --only');
}

/** The page and its charts, by their paths in the folder of the documents. */
export async function benchmarkDocuments(record: CompleteRecord): Promise<Readonly<Record<string, string>>> {
  const sections = sectionsOf(record.figures);
  const charts = Object.values(sections).flatMap((section) => Object.entries(section.charts));
  const { coldLoad, contention } = record.figures;
  const values: Readonly<Record<string, string | number>> = {
    conditions: conditionsTable(record),
    goals: goalsBlock(record.figures),
    mediansAndMeans: markdownTable(mediansAndMeans(record.figures)),
    ...Object.fromEntries(Object.entries(sections).map(([part, section]) => [part, sectionBlock(section)])),
    sizes: sizesTable(),
    rounds: coldLoad.rounds,
    sdkOfSagabox: listed(coldLoad.sdkLoadedAtOnce.sagabox),
    sdkOfPowertools: listed(coldLoad.sdkLoadedAtOnce.powertools),
    defaultConcurrency: defaults.concurrency,
    callMs: serviceTimesMs.call,
    transactionMs: serviceTimesMs.transaction,
    sendMs: serviceTimesMs.send,
    contendingMessages: contention.optimistic.messages,
    callsOfBatch: costBounds.batch10.calls,
  };
  const template = await readFile(join(import.meta.dirname, 'benchmarks.template.md'), 'utf8');
  return {
    'proof/benchmarks.md': template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name])),
    ...Object.fromEntries(charts.map(([name, chart]) => [chartPath(name), `${barChart(chart).markup}\n`])),
  };
}

function chartPath(name: string): string {
  return `images/benchmark-${name}.svg`;
}

function conditionsTable({ date, machine, versions }: CompleteRecord): string {
  const { cpu, cores, memoryGB, os } = machine;
  const rows = [
    ['date', date],
    ['processor', `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}`],
    ['memory', `${memoryGB} GB`],
    ['operating system', os],
    ...Object.entries(versions).map(([name, version]) => [`\`${name}\``, version]),
  ];
  return markdownTable({ head: ['part', 'value'], rows });
}

function sizesTable(): string {
  const rows = sizeHistory.map(({ date, kB, gzipKB, reason }) => {
    return [date, formatKB(kB), formatKB(gzipKB), reason];
  });
  return markdownTable({ head: ['sagabox, by time', 'minified', 'gzipped', 'what made it grow'], rows });
}

function goalsBlock(figures: Figures): string {
  const { table, reasons = [] } = goalsReport(figures) ?? { table: { head: [], rows: [] } };
  const paragraphs = reasons.map(({ missed, reason }) => {
    if (reason === undefined)
      throw new Error(`bench/limits/bounds.ts gives no reason for missed goals: ${missed}`);
    return `**${missed}.**\n${reason}`;
  });
  return [markdownTable(table), ...paragraphs].join('\n\n');
}

function sectionBlock({ tables, charts }: Section): string {
  const images = Object.entries(charts).map(([name, { title }]) => `![${title}](../${chartPath(name)})`);
  return [...tables.map(markdownTable), ...images].join('\n\n');
}

function listed(packages: readonly string[]): string {
  return packages.length === 0 ? 'no package' : packages.map((name) => `\`${name}\``).join(' and ');
}
