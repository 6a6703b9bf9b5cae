export { itemSize } from '../core/storage/item-size.ts';
export * from './measured/index.ts';
export type {
  CapacityUnitsPlan,
  DeliveryPlan,
  MessagePlan,
  MessageShape,
  PlannedStep,
} from './message-shape.ts';
export { tableCost } from './monthly-cost.ts';
export { type PlanMessageOptions, planMessage } from './plan-message.ts';
export { type PlanWorkloadOptions, planWorkload, workloadDefaults } from './plan-workload.ts';
export { pricesOf, type RegionPrices, regions } from './prices.ts';
export {
  type CheckedWorkload,
  type CheckWorkloadOptions,
  checkWorkload,
} from './rules/check-workload.ts';
export type { Problem } from './rules/problems.ts';
export type { CapacityPlan, MonthlyCost, TablePlan, Workload, WorkloadPlan } from './workload.ts';
