import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaults } from '../../lib/middleware/defaults.ts';
import type { CompleteRecord } from '../benchmark/record.ts';
import { costBounds } from '../limits/bounds.ts';
import { goalOutcomes, shortfalls } from '../limits/goals.ts';
import { reasons } from '../limits/reasons.ts';
import { concurrency } from '../throughput/concurrency.ts';
import { type Section, sectionsOf, type Table } from './sections.ts';

const template = readFileSync(join(import.meta.dirname, 'benchmarks.template.md'), 'utf8');

/**
 * docs/benchmarks.md: the template, with the figures of one run.
 *
 * @throws Error when a goal is not reached and nobody has told why
 */
export function benchmarkPage(record: CompleteRecord, told: typeof reasons = reasons): string {
  const { coldLoadMs, contention } = record;
  const sections = Object.entries(sectionsOf(record)).map(([part, section]) => [part, sectionBlock(section)]);
  const values: Readonly<Record<string, string | number>> = {
    conditions: conditionsTable(record),
    goals: goalsBlock(record, told),
    ...Object.fromEntries(sections),
    rounds: coldLoadMs.rounds,
    sdkOfSagabox: listed(coldLoadMs.sdkLoadedAtOnce.sagabox),
    sdkOfPowertools: listed(coldLoadMs.sdkLoadedAtOnce.powertools),
    concurrency,
    defaultConcurrency: defaults.concurrency,
    contendingMessages: contention.optimistic.messages,
    callsOfBatch: costBounds.batch10.calls,
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

export function chartFile(name: string): string {
  return `benchmark-${name}.svg`;
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
  return markdownTable({ head: ['', ''], rows }, '---');
}

function goalsBlock(record: CompleteRecord, told: typeof reasons): string {
  const outcomes = goalOutcomes(record);
  const short = shortfalls(outcomes, told);
  const untold = short.flatMap(({ missed, reason }) => (reason === undefined ? missed : []));
  if (untold.length > 0) {
    const names = untold.map(({ name, title, figure, goal }) => `${name} (${title}: ${figure}, ${goal})`);
    throw new Error(
      `Goals are not reached, and bench/limits/reasons.ts does not tell why: ${names.join('; ')}`,
    );
  }
  const rows = outcomes.map(({ title, goal, figure, isReached }) => [
    title,
    goal,
    figure,
    isReached ? 'reached' : '**not reached**',
  ]);
  const reasonsOfShort = short.map(({ missed, reason }) => {
    const figures = missed.map(({ title, figure }) => `${title}: ${figure}`);
    return `**${figures.join('; ')}.** ${reason}`;
  });
  return [markdownTable({ head: ['', 'goal', 'figure', ''], rows }), ...reasonsOfShort].join('\n\n');
}

function sectionBlock({ tables, charts }: Section): string {
  const images = Object.entries(charts).map(([name, { title }]) => `![${title}](images/${chartFile(name)})`);
  return [...tables.map((table) => markdownTable(table)), ...images].join('\n\n');
}

function markdownTable({ head, rows }: Table, figures: '---' | '---:' = '---:'): string {
  return [
    `| ${head.join(' | ')} |`,
    `|${['---', ...head.slice(1).map(() => figures)].join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

function listed(packages: readonly string[]): string {
  return packages.length === 0 ? 'none of it' : packages.map((name) => `\`${name}\``).join(' and ');
}
