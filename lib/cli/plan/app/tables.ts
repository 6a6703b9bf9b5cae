import * as v from 'valibot';
import {
  planMessage,
  planWorkload,
  regions,
  type ScaleLimit,
  type Workload,
} from '../../../capacity/index.ts';
import type { PlannedStep } from '../../../capacity/message-shape.ts';
import { limitsOfTable } from '../../../capacity/scale/limits-of-table.ts';
import { workloadDefaults } from '../../../capacity/workload-defaults.ts';
import { defined } from '../../../kernel/defined.ts';
import { SagaboxError } from '../../../kernel/errors/errors.ts';
import type { AssemblyStack, Template } from '../../../local/app/cloud-assembly.ts';
import { type OutboxForms, outboxForms } from '../outbox-form.ts';
import { checkDescribed } from '../read-workload.ts';
import {
  type DeployedCapacity,
  deployedCapacity,
  limitedTable,
  propertiesOf,
  warmThroughput,
} from './capacity.ts';

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
  /** Its path in the app, or its stack and logical id if the template has no path. */
  readonly name: string;
  /** Where it is deployed, as far as the app knows; else the region of its workloads. */
  readonly environment: { readonly account?: string; readonly region: string };
  readonly plan: AppTablePlan;
  readonly deployed: DeployedCapacity;
  readonly workloads: readonly Workload[];
  /** Of a new message of each workload, those that take units of this table. */
  readonly steps: readonly (readonly PlannedStep[])[];
  /** What the table and its workloads take of the limits of this table alone, the nearest first. */
  readonly limits: readonly ScaleLimit[];
  /** For each workload of a table of sagas that has a choice. */
  readonly outboxForms: readonly Pick<OutboxForms, 'recommended' | 'reason'>[];
}

interface DeployedTable {
  readonly stack: AssemblyStack;
  readonly deployed: DeployedCapacity;
  readonly warm: ReturnType<typeof warmThroughput>;
}

type ReadTable = PlannedTable | { readonly problems: readonly string[] };

/** Where the constructs leave what a table is made for, and what they made of it. */
const metadataKeys = { workload: 'sagabox:workload', plan: 'sagabox:plan' } as const;

const tableTypes: readonly string[] = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];

/**
 * The tables with a workload or a plan, of all stacks and stages of a synthesized app.
 *
 * @throws SagaboxError `Configuration` when the folder cannot be read, or no table tells anything
 */
export async function readAppTables(folder: string): Promise<ReadTable[]> {
  // No other plan has to wait until it is loaded.
  const { readCloudAssembly } = await import('../../../local/app/cloud-assembly.ts');
  const stacks = await readCloudAssembly(folder);
  const found = stacks.flatMap((stack) =>
    [stack.template, ...stack.nestedTemplates].flatMap((one) => tablesOf(one, stack, folder)),
  );
  if (found.length > 0) return found;
  throw new SagaboxError('Configuration', {
    setting: folder,
    problem: 'no table of its stacks has a workload',
    remedy: 'Give tables `capacity: TableCapacity.forWorkload(…)`, or `workload` to the other two capacities',
  });
}

function tablesOf(
  { Resources: resources = {} }: Template,
  stack: AssemblyStack,
  folder: string,
): ReadTable[] {
  return Object.entries(resources).flatMap(([logicalId, { Type, Metadata: metadata = {} }]) => {
    const isPlanned = Object.values(metadataKeys).some((key) => key in metadata);
    if (!tableTypes.includes(Type) || !isPlanned) return [];
    const path = metadata['aws:cdk:path'];
    // `Shop/Outbox` rather than `Shop/Outbox/Resource`, which the construct makes of it.
    const name = typeof path === 'string' ? path.replace(/\/Resource$/, '') : `${stack.name}/${logicalId}`;
    const deployed = deployedCapacity(resources, logicalId);
    const warm = warmThroughput(resources[logicalId]);
    return [readTable(name, metadata, { stack, deployed, warm }, folder)];
  });
}

function readTable(
  name: string,
  metadata: Readonly<Record<string, unknown>>,
  { stack, deployed, warm }: DeployedTable,
  folder: string,
): ReadTable {
  const source = `${folder}: ${name}`;
  const { [metadataKeys.workload]: given = [], [metadataKeys.plan]: plan } = metadata;
  const described: unknown[] = [given].flat();
  const checked = described.map((one, index) => {
    const place = described.length === 1 ? '' : ` (workload ${index + 1} of ${described.length})`;
    return checkDescribed(one, `${source}${place}`, ownPrices(plan));
  });
  const problems = checked.flatMap((one) => ('problems' in one ? one.problems : []));
  if (described.length === 0) problems.push(`${source}: it has a plan, but no workload`);
  if (plan === undefined)
    problems.push(
      `${source}: it has a workload, but no plan in the metadata sagabox:plan: synthesize the app again`,
    );
  else if (!v.is(planSchema, plan))
    problems.push(`${source}: the metadata sagabox:plan is not understood: synthesize the app again`);
  if (problems.length > 0 || !v.is(planSchema, plan)) return { problems };
  const workloads = checked.flatMap((one) => ('workload' in one ? [one.workload] : []));
  const steps = stepsOf(plan, workloads);
  const { account, region = workloads[0]?.region ?? workloadDefaults.region } = stack;
  return {
    ...{ name, environment: { ...defined({ account }), region }, plan, deployed, workloads, steps },
    limits: limitsOfTable({ ...limitedTable({ plan, deployed, workloads }), warm }),
    outboxForms: outboxFormsOf(plan, workloads),
  };
}

function outboxFormsOf({ table }: AppTablePlan, workloads: readonly Workload[]): PlannedTable['outboxForms'] {
  if (table === 'outbox') return [];
  // The one that takes fewer units costs less in all regions, also in one without known prices.
  return workloads.flatMap(({ region: _region, ...workload }) => {
    const forms = outboxForms(workload);
    return forms ? [{ recommended: forms.recommended, reason: forms.reason }] : [];
  });
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
