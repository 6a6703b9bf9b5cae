import type { CompleteRecord } from '../benchmark/record.ts';
import { costBounds } from '../limits/bounds.ts';
import { goalOutcomes, shortfalls } from '../limits/goals.ts';
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
    `Each change is held to bounds on ratios and counts, \`bench/limits/bounds.ts\`: \`npm run bench -- --short\`, which \`.ci/run\` ends with, exits with 1 when one of them is
worse than it was recorded. Units, losses and the calls of one message are held to what was measured, the calls of a batch to ${costBounds.batch10.calls}, the most that were seen on
a busy machine; sizes and allocations to a few per cent more than was measured. Ratios of times, and what chance decides on, have about 15 % more than the
worst that was seen, in full runs and in short ones apart. Seconds are no bounds, since machines differ.`,
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
    `DynamoDB is the engine that is named above, and SQS is \`fauxqs\`: both run on the machine that measures. What they take of
time is not what the services take. Calls and bytes are those that are sent to the services.`,
    `Units are those that the engine reports, for every contender alike. What a refused write takes, which no engine reports, is priced by
[DynamoDB's rules](outbox-cost.md#what-is-measured) and stands in a column of its own under [contention](#contention). None of it was compared with what AWS bills.`,
  ];
}

function goalsBlocks(record: CompleteRecord, told: typeof reasons): string[] {
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
  return [
    '## Goals',
    markdownTable({ head: ['', 'goal', 'figure', ''], rows }),
    ...short.map(({ missed, reason }) => {
      const figures = missed.map(({ title, figure }) => `${title}: ${figure}`);
      return `**${figures.join('; ')}.** ${reason}`;
    }),
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
