import type { TablePlan, Workload, WorkloadPlan } from '../workload.ts';
import { itemLimits } from './item-limits.ts';
import { limitsOf, limitsOfLoad, nearestFirst } from './limits-of.ts';
import { partitionLimits } from './partition-limits.ts';
import type { BillingMode, LimitRule, ScaleLimit } from './service-limit.ts';
import { type DeclaredUnits, tableLimits } from './table-limits.ts';

/** A table that one or more workloads share. */
export interface LimitedTable {
  readonly role: 'saga' | 'outbox' | 'shared';
  /** Of all workloads together. */
  readonly plan: Omit<TablePlan, 'index'> & {
    readonly index?: TablePlan['index'] | undefined;
    readonly peakMessagesPerSecond: number;
  };
  readonly workloads: readonly Workload[];
  readonly mode: BillingMode;
  /** The most that the table and its index may take, with headroom and scheduled peaks. */
  readonly declared: DeclaredUnits & { readonly index?: DeclaredUnits };
  /** What a table takes at once is no limit of one that was warmed for the peak. */
  readonly warm?: DeclaredUnits;
}

const namesOf = (rules: readonly Pick<LimitRule, 'name'>[]) => rules.map(({ name }) => name);
const ofItems = namesOf([...partitionLimits, ...itemLimits]);
const ofTables = namesOf(tableLimits);

/** The limits of one table, the nearest first. */
export function limitsOfTable(table: LimitedTable): ScaleLimit[] {
  const { role, plan, workloads } = table;
  const { index, ...own } = table.declared;
  const declared = { [`${role} table`]: own, ...(index && { [`${role} index`]: index }) };
  const whole = limitsOfLoad(
    tableLimits,
    { tables: tablesOf(table), declared, messagesPerSecond: plan.peakMessagesPerSecond },
    workloads[0]?.region,
  );
  const ofEach = workloads.flatMap((workload) =>
    limitsOf(workload).filter(({ name }) => ofItems.includes(name) && isOf(role, name, workload)),
  );
  return nearestFirst([...whole.filter((limit) => isMet(limit, table)), ...ofEach]);
}

/** The same, and what the workloads meet elsewhere: in queues, functions, topics, buses and the Scheduler. */
export function limitsWithTable(table: LimitedTable): ScaleLimit[] {
  const elsewhere = table.workloads
    .flatMap(limitsOf)
    .filter(({ name }) => !ofItems.includes(name) && !ofTables.includes(name));
  return nearestFirst([...limitsOfTable(table), ...elsewhere]);
}

function tablesOf({ role, plan: { index, ...own } }: LimitedTable): WorkloadPlan['tables'] {
  const plan = index === undefined ? own : { ...own, index };
  if (role === 'shared') return { shared: plan };
  return role === 'saga' ? { saga: plan } : { outbox: plan };
}

function isOf(role: LimitedTable['role'], name: string, { message }: Workload): boolean {
  if (role === 'shared') return true;
  if (name === 'relayIndexWrites')
    return (role === 'saga' ? message.sagaRelayIndex : message.relayIndex) === true;
  return (name === 'outboxItem') === (role === 'outbox');
}

function isMet({ name, figure, billing }: ScaleLimit, { mode, warm = {} }: LimitedTable): boolean {
  if (billing !== mode) return false;
  if (!name.startsWith('newTable')) return true;
  const atOnce = name === 'newTableReads' ? warm.read : warm.write;
  return atOnce === undefined || atOnce < figure;
}
