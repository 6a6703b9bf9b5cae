import { type Stack, Token } from 'aws-cdk-lib';
import { regions, type Workload } from '../capacity/index.ts';
import type { TableRole } from './table-plan.ts';

/** What a table knows about its workloads. */
export interface WorkloadFacts {
  readonly role: TableRole;
  readonly hasRecoveryIndex: boolean;
  readonly stack: Stack;
}

/** The workloads, with what the table and its stack know filled in where a workload leaves it open. */
export function completedWorkloads(
  workloads: readonly Workload[],
  { role, hasRecoveryIndex, stack }: WorkloadFacts,
): readonly Workload[] {
  const region = pricedRegionOf(stack);
  return workloads.map((workload) => ({
    ...(region === undefined ? {} : { region }),
    ...workload,
    message: {
      ...(hasRecoveryIndex && keepsRecords(workload, role) ? { recoveryIndex: true } : {}),
      ...workload.message,
    },
  }));
}

/** Whether the outbox records of a workload are in the table of this role. */
export function keepsRecords({ sharedTable = false }: Workload, role: TableRole): boolean {
  return sharedTable || role === 'outbox';
}

function pricedRegionOf({ region }: Stack): string | undefined {
  return !Token.isUnresolved(region) && regions.includes(region) ? region : undefined;
}
