import { defined } from '../kernel/defined.ts';
import type { MessagePlan } from './message-shape.ts';
import { planMessage } from './plan-message.ts';
import { type WholeShape, wholeShape } from './shape-defaults.ts';
import { sumOfUnits } from './steps.ts';
import { type Load, tablePlan } from './table-plan.ts';
import type { TablePlan, Workload, WorkloadPlan } from './workload.ts';
import { workloadDefaults } from './workload-defaults.ts';

/** What a message takes, and what the workload takes of its tables: all that depends on no price. */
export function plannedTables(workload: Workload): {
  readonly message: MessagePlan;
  readonly tables: WorkloadPlan['tables'];
} {
  const { targetUtilizationPercent, sharedTable } = { ...workloadDefaults, ...defined(workload) };
  const { messagesPerSecond, peakMessagesPerSecond = messagesPerSecond } = workload;
  const message = planMessage(workload.message, { sharedTable });
  const load = { messagesPerSecond, peakMessagesPerSecond, targetUtilizationPercent };
  return { message, tables: tablePlans(message, load, sharedTable, wholeShape(workload.message)) };
}

/** A table that a workload does not use has no plan. */
function tablePlans(
  { perTable: { saga, outbox } }: MessagePlan,
  load: Load,
  sharedTable: boolean,
  used: WholeShape,
): WorkloadPlan['tables'] {
  if (sharedTable) return { shared: tablePlan(sumOfUnits([saga, outbox]), load) };
  const plans: { saga?: TablePlan; outbox?: TablePlan } = {};
  if (used.sagaBytes > 0) plans.saga = tablePlan(saga, load);
  if (used.outbox) plans.outbox = tablePlan(outbox, load);
  return plans;
}
