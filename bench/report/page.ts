import type { CompleteRecord } from '../benchmark/record.ts';
import { goalOutcomes } from '../limits/goals.ts';
import { reasons } from '../limits/reasons.ts';
import type { Section, Table } from './section.ts';
import { sectionsOf } from './sections.ts';

/**
 * docs/benchmarks.md, of the figures of one run.
 *
 * @throws Error when a goal is not reached and nobody has told why
 */
export function benchmarkPage(record: CompleteRecord, told: typeof reasons = reasons): string {
  const blocks = [
    '<!-- Generated from benchmarks.json by `npm run bench -- --from docs/benchmarks.json --docs`: change bench/report, not this page. -->',
    '# Benchmarks',
    `What sagabox costs and how fast it is, beside what would be used in its place. Every comparison is made side by side in one run. This page is
generated: \`npm run bench -- --docs\` measures all of it anew, \`npm run bench -- --help\` tells the other options.`,
    ...conditionsBlocks(record),
    ...goalsBlocks(record, told),
    ...sectionsOf(record).flatMap(sectionBlocks),
    '## What keeps it so',
    `Each change is held to bounds on ratios and counts, \`bench/limits/bounds.ts\`: \`npm run bench -- --short\`, which the tests run, exits with 1 when one of them is
worse than it was recorded. Seconds are no bounds, since machines differ.`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function conditionsBlocks({ date, machine, versions }: CompleteRecord): string[] {
  const { cpu, cores, memoryGB, os } = machine;
  const rows = [
    ['date', date],
    ['processor', `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}`],
    ['memory', `${memoryGB} GB`],
    ['operating system', os],
    ...Object.entries(versions).map(([name, version]) => [`\`${name}\``, version]),
  ];
  return [
    '## Measured with',
    markdownTable({ head: ['', ''], rows }, 'left'),
    `DynamoDB is DynamoDB Local, of the package \`amplify-dynamodb-simulator\`, and SQS is \`fauxqs\`: both run on the machine that measures. What they take of
time is not what the services take; units, calls and bytes are the same.`,
  ];
}

function goalsBlocks(record: CompleteRecord, told: typeof reasons): string[] {
  const outcomes = goalOutcomes(record);
  const missed = outcomes.filter(({ isReached }) => !isReached);
  const untold = missed.filter(({ name }) => told[name] === undefined);
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
  return [
    '## Goals',
    markdownTable({ head: ['', 'goal', 'figure', ''], rows }),
    ...missed.map(({ name, title, figure }) => `**${title}: ${figure}.** ${told[name]}`),
  ];
}

function sectionBlocks({ heading, explanation, tables, charts }: Section): string[] {
  return [
    `## ${heading}`,
    ...explanation,
    ...tables.map((table) => markdownTable(table)),
    ...charts.map(({ name, title }) => `![${title}](images/${chartFile(name)})`),
  ];
}

export function chartFile(name: string): string {
  return `benchmark-${name}.svg`;
}

function markdownTable({ head, rows }: Table, figures: 'left' | 'right' = 'right'): string {
  const rule = head.map((_, column) => (column > 0 && figures === 'right' ? '---:' : '---'));
  return [
    `| ${head.join(' | ')} |`,
    `|${rule.join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
