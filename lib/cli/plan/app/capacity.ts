import type { LimitedTable } from '../../../capacity/scale/limited-table.ts';
import type { DeclaredUnits } from '../../../capacity/scale/table-limits.ts';
import type { UnitRange, UnitRanges } from '../tables.ts';

/** How a template declares the capacity of a table; what only the deployment knows is left out. */
export interface DeployedCapacity extends UnitRanges {
  readonly mode: 'onDemand' | 'provisioned';
}

type Properties = Readonly<Record<string, unknown>>;

/** With the headroom and the target of its autoscaling, which the plan does not know. */
export function deployedCapacity(resources: Properties, logicalId: string): DeployedCapacity {
  const table = propertiesOf(propertiesOf(resources[logicalId]).Properties);
  const mode = table.BillingMode === 'PAY_PER_REQUEST' ? 'onDemand' : 'provisioned';
  const ranges =
    mode === 'onDemand'
      ? onDemandRanges(table)
      : provisionedRanges(table, resources, `["table/",${referenceTo(logicalId)}]`);
  return { mode, ...ranges };
}

interface TableOfTemplate extends Pick<LimitedTable, 'workloads'> {
  readonly plan: LimitedTable['plan'] & { readonly table: LimitedTable['role'] };
  readonly deployed: DeployedCapacity;
}

/** What the limits of a table are told by. */
export function limitedTable({ plan, deployed, workloads }: TableOfTemplate): LimitedTable {
  return { role: plan.table, plan, workloads, mode: deployed.mode, declared: maximaOf(deployed) };
}

function maximaOf({ read, write }: UnitRanges): DeclaredUnits {
  const most = ({ maxCapacity = 0, maxScheduledCapacity = 0 }: UnitRange) =>
    Math.max(maxCapacity, maxScheduledCapacity) || undefined;
  return numbersOf({ read: most(read), write: most(write) });
}

/** What a template has the table take at once. */
export function warmThroughput(resource: unknown): { readonly read?: number; readonly write?: number } {
  const { ReadUnitsPerSecond, WriteUnitsPerSecond } = propertiesOf(
    propertiesOf(propertiesOf(resource).Properties).WarmThroughput,
  );
  return numbersOf({ read: ReadUnitsPerSecond, write: WriteUnitsPerSecond });
}

/** Those of an object; none of anything else. */
export function propertiesOf(value: unknown): Properties {
  return typeof value === 'object' && value !== null ? (value as Properties) : {};
}

function onDemandRanges({ OnDemandThroughput }: Properties): UnitRanges {
  const { MaxReadRequestUnits, MaxWriteRequestUnits } = propertiesOf(OnDemandThroughput);
  return {
    read: rangeOf({ maxCapacity: MaxReadRequestUnits }),
    write: rangeOf({ maxCapacity: MaxWriteRequestUnits }),
  };
}

/** @param resource a part of what autoscaling calls it, as JSON */
function provisionedRanges(
  { ProvisionedThroughput }: Properties,
  resources: Properties,
  resource: string,
): UnitRanges {
  const range = (name: 'ReadCapacityUnits' | 'WriteCapacityUnits') => {
    const fixed = propertiesOf(ProvisionedThroughput)[name];
    return (
      autoscaledRange(resources, resource, `:${name}`) ?? rangeOf({ minCapacity: fixed, maxCapacity: fixed })
    );
  };
  return { read: range('ReadCapacityUnits'), write: range('WriteCapacityUnits') };
}

function autoscaledRange(resources: Properties, resource: string, dimension: string): UnitRange | undefined {
  const target = ofType(resources, 'AWS::ApplicationAutoScaling::ScalableTarget').find(
    ({ properties: { ScalableDimension, ResourceId } }) =>
      String(ScalableDimension).endsWith(dimension) && contains(ResourceId, resource),
  );
  if (target === undefined) return undefined;
  const policy = ofType(resources, 'AWS::ApplicationAutoScaling::ScalingPolicy').find(({ properties }) =>
    contains(properties.ScalingTargetId, referenceTo(target.logicalId)),
  );
  const {
    MinCapacity: minCapacity,
    MaxCapacity: maxCapacity,
    ScheduledActions: actions = [],
  } = target.properties;
  const ofActions = [actions].flat().map((one) => propertiesOf(propertiesOf(one).ScalableTargetAction));
  const scheduled = ofActions
    .map((action) => action.MaxCapacity)
    .filter((units) => typeof units === 'number');
  const { TargetValue } = propertiesOf(policy?.properties.TargetTrackingScalingPolicyConfiguration);
  return rangeOf({
    minCapacity,
    maxCapacity,
    maxScheduledCapacity: scheduled.length === 0 ? undefined : Math.max(...scheduled),
    targetUtilizationPercent: TargetValue,
  });
}

function ofType(resources: Properties, type: string) {
  return Object.entries(resources).flatMap(([logicalId, resource]) => {
    const { Type, Properties: properties } = propertiesOf(resource);
    return Type === type ? [{ logicalId, properties: propertiesOf(properties) }] : [];
  });
}

function referenceTo(logicalId: string): string {
  return JSON.stringify({ Ref: logicalId });
}

function contains(value: unknown, json: string): boolean {
  return JSON.stringify(value ?? null).includes(json);
}

/** A number that a parameter of the stack gives is not known here. */
function rangeOf(declared: { readonly [Name in keyof UnitRange]: unknown }): UnitRange {
  return numbersOf(declared);
}

function numbersOf(declared: Properties): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : [])),
  );
}
