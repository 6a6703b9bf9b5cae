import * as v from 'valibot';
import { planMessage, planWorkload, regions, type Workload } from '../../../capacity/index.ts';
import type { PlannedStep } from '../../../capacity/message-shape.ts';
import { checkDescribed } from '../read-workload.ts';
import { type DeployedCapacity, propertiesOf } from './capacity.ts';
import type { AppTable } from './tables.ts';

const units = v.object({ rcu: v.number(), wcu: v.number() });
const range = v.object({ minCapacity: v.number(), maxCapacity: v.number() });
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
): PlannedTable | { readonly problems: readonly string[] } {
  const checked = described.map((one, index) => {
    const place = described.length === 1 ? '' : ` (workload ${index + 1} of ${described.length})`;
    return checkDescribed(one, `${source}: ${name}${place}`, ownPrices(plan));
  });
  const problems = checked.flatMap((one) => ('problems' in one ? one.problems : []));
  if (described.length === 0) problems.push(`${source}: ${name}: it has a plan, but no workload`);
  if (!v.is(planSchema, plan)) {
    const problem =
      plan === undefined
        ? 'it has a workload, but no plan in the metadata sagabox:plan'
        : 'the metadata sagabox:plan is not understood';
    return { problems: [...problems, `${source}: ${name}: ${problem}: synthesize the app again`] };
  }
  const workloads = checked.flatMap((one) => ('workload' in one ? [one.workload] : []));
  return problems.length > 0
    ? { problems }
    : { name, plan, deployed, workloads, steps: stepsOf(plan, workloads) };
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

/** A table `shared` for one workload may hold only sagas or only the outbox of another: its units show. */
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
