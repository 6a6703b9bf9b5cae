import type { Workload } from '../../capacity/index.ts';
import { isSagaboxError, type SagaboxError } from '../../kernel/errors/errors.ts';
import type { PropProblems } from '../violations.ts';
import { completedWorkloads, type WorkloadFacts } from './completed-workloads.ts';
import { planTable, type TableWorkloadPlan } from './table-plan.ts';

interface PlannedWorkloads {
  readonly workloads: readonly Workload[];
  readonly plan: TableWorkloadPlan | undefined;
}

/** What the table is planned for: nothing if the workloads cannot be planned, which is reported. */
export function plannedWorkloads(
  given: readonly Workload[],
  facts: WorkloadFacts,
  problems: PropProblems,
): PlannedWorkloads {
  try {
    const workloads = completedWorkloads(given, facts);
    return { workloads, plan: planTable(workloads, facts.role, facts.prices) };
  } catch (error) {
    if (!isSagaboxError(error) || error.code !== 'Configuration') throw error;
    const { setting, problem, remedy } = (error as SagaboxError<'Configuration'>).facts;
    problems.add(setting, problem, remedy);
    return { workloads: [], plan: undefined };
  }
}
