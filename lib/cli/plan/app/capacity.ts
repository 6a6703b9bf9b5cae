import { relayIndex } from '../../../core/storage/relay-index.ts';
import { propertiesOf } from './template.ts';

/** How a template declares the capacity of a table; what only the deployment knows is left out. */
export interface DeployedCapacity extends DeployedRanges {
  readonly mode: 'onDemand' | 'provisioned';
  /** Of the relay index, where the table has one. */
  readonly index?: DeployedRanges;
}

export interface DeployedRanges {
  readonly read: DeployedUnits;
  readonly write: DeployedUnits;
}

/** Units a second. On demand there is no `minCapacity`, and `maxCapacity` only if a limit is set. */
export interface DeployedUnits {
  readonly minCapacity?: number;
  readonly maxCapacity?: number;
  readonly targetUtilizationPercent?: number;
}

type Resources = Readonly<Record<string, unknown>>;

/** With the headroom and the target of its autoscaling, which the plan does not know. */
export function deployedCapacity(resources: Resources, logicalId: string): DeployedCapacity {
  const table = propertiesOf(propertiesOf(resources[logicalId]).Properties);
  const mode = table.BillingMode === 'PAY_PER_REQUEST' ? 'onDemand' : 'provisioned';
  const index = [table.GlobalSecondaryIndexes ?? []]
    .flat()
    .map(propertiesOf)
    .find(({ IndexName }) => IndexName === relayIndex.indexName);
  const ranges = (of: Resources, resource: string): DeployedRanges =>
    mode === 'onDemand' ? onDemandRanges(of) : provisionedRanges(of, resources, resource);
  const path = `"table/",${referenceTo(logicalId)}`;
  return {
    mode,
    ...ranges(table, `[${path}]`),
    ...(index !== undefined && { index: ranges(index, `[${path},"/index/${relayIndex.indexName}"]`) }),
  };
}

function onDemandRanges({ OnDemandThroughput }: Resources): DeployedRanges {
  const { MaxReadRequestUnits, MaxWriteRequestUnits } = propertiesOf(OnDemandThroughput);
  return { read: unitsOf(undefined, MaxReadRequestUnits), write: unitsOf(undefined, MaxWriteRequestUnits) };
}

/** @param resource a part of what autoscaling calls it, as JSON */
function provisionedRanges(
  { ProvisionedThroughput }: Resources,
  resources: Resources,
  resource: string,
): DeployedRanges {
  const fixed = propertiesOf(ProvisionedThroughput);
  const units = (name: 'ReadCapacityUnits' | 'WriteCapacityUnits') =>
    autoscaledUnits(resources, resource, `:${name}`) ?? unitsOf(fixed[name], fixed[name]);
  return { read: units('ReadCapacityUnits'), write: units('WriteCapacityUnits') };
}

function autoscaledUnits(resources: Resources, resource: string, dimension: string) {
  const found = ofType(resources, 'AWS::ApplicationAutoScaling::ScalableTarget').find(
    ([, { ScalableDimension, ResourceId }]) =>
      String(ScalableDimension).endsWith(dimension) && contains(ResourceId, resource),
  );
  if (found === undefined) return undefined;
  const [targetId, { MinCapacity, MaxCapacity }] = found;
  const [, policy] =
    ofType(resources, 'AWS::ApplicationAutoScaling::ScalingPolicy').find(([, { ScalingTargetId }]) =>
      contains(ScalingTargetId, referenceTo(targetId)),
    ) ?? [];
  const { TargetValue } = propertiesOf(policy?.TargetTrackingScalingPolicyConfiguration);
  return unitsOf(MinCapacity, MaxCapacity, TargetValue);
}

function ofType(resources: Resources, type: string): [logicalId: string, properties: Resources][] {
  return Object.entries(resources).flatMap(([logicalId, resource]) => {
    const { Type, Properties } = propertiesOf(resource);
    return Type === type ? [[logicalId, propertiesOf(Properties)] as [string, Resources]] : [];
  });
}

function referenceTo(logicalId: string): string {
  return JSON.stringify({ Ref: logicalId });
}

function contains(value: unknown, json: string): boolean {
  return JSON.stringify(value ?? null).includes(json);
}

/** A number that a parameter of the stack gives is not known here. */
function unitsOf(
  minCapacity: unknown,
  maxCapacity: unknown,
  targetUtilizationPercent?: unknown,
): DeployedUnits {
  return {
    ...(typeof minCapacity === 'number' && { minCapacity }),
    ...(typeof maxCapacity === 'number' && { maxCapacity }),
    ...(typeof targetUtilizationPercent === 'number' && { targetUtilizationPercent }),
  };
}
