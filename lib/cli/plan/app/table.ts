import * as v from 'valibot';
import {
  type PlannedStep,
  planMessage,
  planWorkload,
  regions,
  type Workload,
} from '../../../capacity/index.ts';
import { checkDescribed } from '../read-workload.ts';
import type { DeployedCapacity } from './capacity.ts';
import type { AppTable } from './tables.ts';
import { propertiesOf } from './template.ts';

const units = v.object({ rcu: v.number(), wcu: v.number() });
const range = v.object({ minUnits: v.number(), maxUnits: v.number() });
const capacity = v.object({
  average: units,
  peak: units,
  provisioned: v.object({ read: range, write: range, targetUtilizationPercent: v.number() }),
  onDemand: units,
});
const planSchema = v.object({
  ...capacity.entries,
  index: v.optional(capacity),
  table: v.picklist(['saga', 'outbox', 'shared']),
  messagesPerSecond: v.number(),
  peakMessagesPerSecond: v.number(),
  perMessage: units,
  monthlyCost: v.object({ onDemand: v.number(), provisioned: v.number() }),
  prices: v.object({ region: v.string(), asOf: v.string(), source: v.string() }),
});

/** What the constructs planned a table for, as the template has it. */
export type AppTablePlan = v.InferOutput<typeof planSchema>;

export interface PlannedTable {
  readonly name: string;
  readonly plan: AppTablePlan;
  readonly deployed: DeployedCapacity;
  readonly workloads: readonly Workload[];
  /** Of a new message of each workload, those that take units of this table. */
  readonly steps: readonly (readonly PlannedStep[])[];
}

/** The table with what its template says of it, or each problem with that. */
export function plannedTable(
  { name, workloads: described, plan, deployed }: AppTable,
  source: string,
): { readonly table: PlannedTable } | { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const workloads: Workload[] = [];
  for (const [index, one] of described.entries()) {
    const place = described.length === 1 ? '' : ` (workload ${index + 1} of ${described.length})`;
    const checked = checkDescribed(one, `${source}: ${name}${place}`, ownPrices(plan));
    if ('workload' in checked) workloads.push(checked.workload);
    else problems.push(...checked.problems);
  }
  if (described.length === 0) problems.push(`${source}: ${name}: it has a plan, but no workload`);
  if (plan === undefined)
    problems.push(
      `${source}: ${name}: it has a workload, but no plan in the metadata sagabox:plan: synthesize the app again`,
    );
  else if (!v.is(planSchema, plan))
    problems.push(
      `${source}: ${name}: the metadata sagabox:plan is not understood: synthesize the app again`,
    );
  else if (problems.length === 0)
    return { table: { name, plan, deployed, workloads, steps: stepsOf(plan, workloads) } };
  return { problems };
}

/** A table may have been given the prices of a region that is not known here. */
function ownPrices(plan: unknown): { readonly region: string } | undefined {
  const { region } = propertiesOf(propertiesOf(plan).prices);
  return typeof region === 'string' && !regions.includes(region) ? { region } : undefined;
}

function stepsOf(plan: AppTablePlan, workloads: readonly Workload[]): PlannedStep[][] {
  const role = plan.table === 'shared' ? roleOf(plan, workloads) : plan.table;
  return workloads.map(({ message, sharedTable = false }) =>
    planMessage(message, { sharedTable }).steps.filter(
      ({ table }) => table !== undefined && (sharedTable || table === role),
    ),
  );
}

/** A table that is `shared` for one workload has sagas or outbox alone of another: its units tell which. */
function roleOf({ average }: AppTablePlan, workloads: readonly Workload[]): 'saga' | 'outbox' {
  // Units are the same in all regions, also in one without known prices.
  const planned = workloads.map(({ region: _region, ...workload }) => planWorkload(workload).tables);
  const difference = (role: 'saga' | 'outbox') => {
    const units = planned.map((tables) => ('shared' in tables ? tables.shared : tables[role])?.average);
    const total = (unit: 'rcu' | 'wcu') => units.reduce((sum, part) => sum + (part?.[unit] ?? 0), 0);
    return Math.abs(total('rcu') - average.rcu) + Math.abs(total('wcu') - average.wcu);
  };
  return difference('saga') < difference('outbox') ? 'saga' : 'outbox';
}
