import type { TablePlan, Workload, WorkloadPlan } from '../workload.ts';
import type { BillingMode } from './service-limit.ts';
import type { DeclaredUnits, TableLoad } from './table-limits.ts';

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

export function tableLoad({ role, plan, declared: { index, ...own } }: LimitedTable): TableLoad {
  const declared = { [`${role} table`]: own, ...(index && { [`${role} index`]: index }) };
  return { tables: tablesOf(role, plan), declared, messagesPerSecond: plan.peakMessagesPerSecond };
}

function tablesOf(
  role: LimitedTable['role'],
  { index, ...own }: LimitedTable['plan'],
): WorkloadPlan['tables'] {
  const plan = index === undefined ? own : { ...own, index };
  if (role === 'shared') return { shared: plan };
  return role === 'saga' ? { saga: plan } : { outbox: plan };
}
