import { Annotations, CfnOutput, Stack } from 'aws-cdk-lib';
import type { CfnTable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Workload } from '../../capacity/index.ts';
import { isElsewhere } from '../destinations/regions.ts';
import type { UnitRange } from './autoscaled-capacity.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

/** Writes the plan to the template, where `sagabox plan --app` and people find it. */
export function addPlanMetadata(table: Table, workloads: readonly Workload[], plan: TableWorkloadPlan): void {
  const resource = table.node.defaultChild as CfnTable;
  resource.addMetadata('sagabox:workload', workloads);
  resource.addMetadata('sagabox:plan', plan);
}

export function addPlanOutput(table: Table, plan: TableWorkloadPlan): void {
  new CfnOutput(table, 'Plan', {
    description: 'What the workload of the table was planned to take and to cost',
    value: planSummary(plan),
  });
}

/** A sum of money of another region is no mistake of the template, and misleads all the same. */
export function warnOfOtherPrices(table: Table, { prices }: TableWorkloadPlan): void {
  const { region } = Stack.of(table);
  if (!isElsewhere(region, prices.region)) return;
  Annotations.of(table).addWarningV2(
    'sagabox:pricesOfOtherRegion',
    `The stack is in '${region}', and its plan has the prices of '${prices.region}'. Leave the region out of the workload, or give the capacity the prices of its region.`,
  );
}

/** One line for people. */
function planSummary(plan: TableWorkloadPlan): string {
  const { perMessage, provisioned, messagesPerSecond, monthlyCost, prices } = plan;
  return [
    `${figure(messagesPerSecond)} messages/s, at peak ${figure(plan.peakMessagesPerSecond)}`,
    `a message takes ${figure(perMessage.rcu)} RCU and ${figure(perMessage.wcu)} WCU`,
    `provisioned ${range(provisioned.read)} RCU/s and ${range(provisioned.write)} WCU/s at ${provisioned.targetUtilizationPercent} %`,
    `USD a month: ${monthlyCost.provisioned.toFixed(2)} provisioned, ${monthlyCost.onDemand.toFixed(2)} on demand (${prices.region}, prices of ${prices.asOf})`,
  ].join('; ');
}

function range({ minCapacity, maxCapacity }: UnitRange): string {
  return `${minCapacity} to ${maxCapacity}`;
}

function figure(value: number): string {
  return String(Number(value.toFixed(2)));
}
