import { CfnOutput } from 'aws-cdk-lib';
import type { CfnTable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Workload } from '../capacity/index.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

/** The keys of a table's template metadata under which the workload and its plan are found. */
export const planMetadata = { workload: 'sagabox:workload', plan: 'sagabox:plan' } as const;

/** Writes the plan to where `sagabox plan --app` and people who read templates find it. */
export function addPlanMetadata(table: Table, workloads: readonly Workload[], plan: TableWorkloadPlan): void {
  const resource = table.node.defaultChild as CfnTable;
  resource.addMetadata(planMetadata.workload, workloads);
  resource.addMetadata(planMetadata.plan, plan);
}

export function addPlanOutput(table: Table, plan: TableWorkloadPlan): void {
  new CfnOutput(table, 'Plan', {
    description: 'What the workload of the table was planned to take and to cost',
    value: planSummary(plan),
  });
}

/** One line for people. */
export function planSummary(plan: TableWorkloadPlan): string {
  const { perMessage, provisioned, monthlyCost, prices } = plan;
  return [
    `${figure(plan.messagesPerSecond)} messages/s, at peak ${figure(plan.peakMessagesPerSecond)}`,
    `a message takes ${figure(perMessage.rcu)} RCU and ${figure(perMessage.wcu)} WCU`,
    `provisioned ${range(provisioned.read)} RCU/s and ${range(provisioned.write)} WCU/s at ${provisioned.targetUtilizationPercent} %`,
    `USD a month: ${monthlyCost.provisioned.toFixed(2)} provisioned, ${monthlyCost.onDemand.toFixed(2)} on demand (${prices.region}, prices of ${prices.asOf})`,
  ].join('; ');
}

function range({ minUnits, maxUnits }: { minUnits: number; maxUnits: number }): string {
  return `${minUnits} to ${maxUnits}`;
}

function figure(value: number): string {
  return String(Number(value.toFixed(2)));
}
