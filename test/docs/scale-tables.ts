import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  limitsOf,
  type MessageShape,
  planMessage,
  planWorkload,
  type ScaleLimit,
  type Workload,
} from 'sagabox/capacity';
import { limitRules } from '../../lib/capacity/scale/limits-of.ts';
import { type LimitRule, limitsRead } from '../../lib/capacity/scale/service-limit.ts';
import { formatBytes, formatUnits, formatWhole } from '../../lib/cli/plan/format.ts';
import { formatFigure, limitGroups } from '../../lib/cli/plan/limits.ts';
import { totalCosts } from '../../lib/cli/plan/tables.ts';
import { embeddedLimits } from '../../lib/outbox/embedded/embedded-write.ts';

/** In docs: what a workload takes, and all limits. */
export const scalePages = ['guide/cost-and-scale.md', 'reference/capacity.md'] as const;

/** The messages of the tables. */
const message: MessageShape = { sagaBytes: 1_000, outgoing: 1, messageBytes: 500 };
const rates = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
const PARTITION = { wcu: 1_000, rcu: 3_000 };

function workloadAt(messagesPerSecond: number): Workload {
  return { message, messagesPerSecond, batchSize: messagesPerSecond < 100 ? 1 : 10 };
}

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function dollars(value: number): string {
  return `$${formatWhole(value)}`;
}

/** What a month costs, by factors of ten. */
function costs(): string {
  const head = ['messages/s', 'batches of', 'WCU/s', 'RCU/s', 'at the same time', 'records kept'];
  const money = ['storage', 'queue', 'a month, on demand', 'provisioned'];
  const rows = rates.map((rate) => {
    const workload = workloadAt(rate);
    const plan = planWorkload(workload);
    const { wcu, rcu } = plan.perMessage;
    const { onDemand, provisioned } = totalCosts(plan);
    const running = limitsOf(workload).find(({ name }) => name === 'accountConcurrency')?.figure ?? 0;
    return [
      ...[rate, workload.batchSize ?? 1, wcu * rate, rcu * rate].map(formatWhole),
      formatUnits(running),
      `${formatWhole(plan.outbox.records)}, ${formatBytes(plan.outbox.bytes)}`,
      ...[plan.monthlyCost.storage, plan.monthlyCost.queue, onDemand, provisioned].map(dollars),
    ];
  });
  return table([...head, ...money], rows);
}

/** What is passed at one of the rates: a row for each limit, with the rates side by side. */
function raised(): string {
  const passed = rates
    .map((rate) => ({ rate, limits: limitsAt(rate).filter(({ isPassed }) => isPassed) }))
    .filter(({ limits }) => limits.length > 0);
  // What is passed at a rate is passed at each higher one.
  const last = passed.at(-1)?.limits ?? [];
  const rows = limitGroups.flatMap(({ has }) => last.filter((limit) => has(limit)));
  return table(
    ['limit', 'default', ...passed.map(({ rate }) => `at ${formatWhole(rate)} messages/s`)],
    rows.map(({ name, of, unit, limit }) => [
      ...[`${of}: ${unit}`, formatWhole(limit)],
      ...passed.map(({ limits }) => {
        const found = limits.find((other) => other.name === name && other.of === of);
        return found === undefined ? '' : formatWhole(found.figure);
      }),
    ]),
  );
}

function limitsAt(rate: number): readonly ScaleLimit[] {
  return limitsOf(workloadAt(rate)).filter(({ name }) => !name.endsWith('Item'));
}

/** Of all limits, estimates too. */
function unraised(): string {
  const most = rates.findLast((rate) => limitsAt(rate).every(({ isPassed }) => !isPassed)) ?? 0;
  return `Up to ${formatWhole(most)} messages a second, you raise nothing.\n`;
}

const forms = { records: 'records', embedded: 'embedded, its inbox full' } as const;

/** More than its inbox holds. */
const full = { liveIds: embeddedLimits.inboxMessages + 1 };

/** How many messages a second one saga takes: what the partition allows, and what one at a time allows. */
function oneSaga(): string {
  const rows = (['records', 'embedded'] as const).flatMap((layout) =>
    (['optimistic', 'eventual', 'pessimistic'] as const).map((locking) => {
      const { wcu, rcu } = planMessage({ ...message, ...full, layout, locking }).perTable.saga;
      const most = Math.min(PARTITION.wcu / wcu, rcu === 0 ? Number.POSITIVE_INFINITY : PARTITION.rcu / rcu);
      return [forms[layout], locking, formatUnits(wcu), formatUnits(rcu), formatWhole(Math.floor(most))];
    }),
  );
  return table(['outbox', 'locking', 'WCU a message', 'RCU a message', 'messages/s of one partition'], rows);
}

function limitOf({ limit }: LimitRule): string {
  if (typeof limit === 'number') return formatFigure(limit);
  const values = [...new Set(Object.values(limit.regions))].toSorted((a, b) => b - a);
  const others = `${formatWhole(limit.others)}${limit.othersVerified === false ? ' (not verified)' : ''}`;
  return `${[...values.map(formatWhole), others].join(', ')}, by region`;
}

/** Each limit that the planner knows. */
function limits(): string {
  const rows = limitRules.map((rule) => [
    `\`${rule.name}\``,
    rule.unit,
    limitOf(rule),
    rule.adjustable ? 'yes' : 'no',
    rule.isEstimate ? `${rule.title} (an estimate)` : rule.title,
  ]);
  return table(['limit', 'unit', 'default', 'can be raised', `documentation, read ${limitsRead}`], rows);
}

/** What to do about each limit; several have the same way out. */
function waysOut(): string {
  const byRemedy = Map.groupBy(limitRules, ({ remedy }) => remedy);
  return [...byRemedy]
    .map(([remedy, rules]) => {
      const names = rules.map(({ name }) => `\`${name}\``).join(', ');
      return `- ${names}: ${remedy.replaceAll('. ', '.\n  ')}.\n`;
    })
    .join('');
}

const tables: Readonly<Record<string, () => string>> = {
  costs,
  unraised,
  raised,
  'one-saga': oneSaga,
  limits,
  'ways-out': waysOut,
};

/** A page with the tables between its markers, as the planner says. */
export function withScaleTables(page: string): string {
  return page.replaceAll(
    /(<!-- scale: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, start: string, name: string, end: string) => `${start}\n${tables[name]?.()}\n${end}`,
  );
}

/** The names of the tables, each of which one of the pages has. */
export const scaleTableNames = Object.keys(tables);

// node --conditions=sagabox-source test/docs/scale-tables.ts
if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of scalePages) {
    const page = new URL(`../../docs/${name}`, import.meta.url);
    writeFileSync(page, withScaleTables(readFileSync(page, 'utf8')));
  }
