import type { TablePlan, Workload, WorkloadPlan } from '../workload.ts';
import type { BillingMode } from './service-limit.ts';
import type { DeclaredUnits, TableLoad } from './table-limits.ts';

/** A table that one or more workloads share. */
export interface LimitedTable {
  readonly role: 'saga' | 'outbox' | 'shared';
  /** Of all workloads together. */
  readonly plan: TablePlan & { readonly peakMessagesPerSecond: number };
  readonly workloads: readonly Workload[];
  readonly mode: BillingMode;
  /** The most that the table may take, with headroom and scheduled peaks. */
  readonly declared: DeclaredUnits;
  /** What a table takes at once is no limit of one that was warmed for the peak. */
  readonly warm?: DeclaredUnits;
}

export function tableLoad({ role, plan, declared }: LimitedTable): TableLoad {
  const messagesPerSecond = plan.peakMessagesPerSecond;
  return { tables: tablesOf(role, plan), declared: { [`${role} table`]: declared }, messagesPerSecond };
}

function tablesOf(role: LimitedTable['role'], plan: TablePlan): WorkloadPlan['tables'] {
  if (role === 'shared') return { shared: plan };
  return role === 'saga' ? { saga: plan } : { outbox: plan };
}
