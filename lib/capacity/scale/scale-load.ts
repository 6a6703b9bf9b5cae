import { defined } from '../../core/defined.ts';
import { toMilliseconds } from '../../core/duration.ts';
import type { MessagePlan } from '../message-shape.ts';
import { plannedTables } from '../planned-tables.ts';
import { type WholeShape, wholeShape } from '../shape-defaults.ts';
import type { Workload, WorkloadPlan } from '../workload.ts';
import { workloadDefaults } from '../workload-defaults.ts';
import { scaleDefaults, type WholeScale } from './scale-shape.ts';

/** What limits are compared with. */
export interface ScaleLoad {
  readonly shape: WholeShape;
  readonly message: MessagePlan;
  readonly tables: WorkloadPlan['tables'];
  readonly scale: WholeScale;
  readonly batchSize: number;
  readonly averageMessagesPerSecond: number;
  /** At the busiest time. */
  readonly messagesPerSecond: number;
  readonly invocationSeconds: number;
}

/** Of a workload that was checked. */
export function scaleLoad(workload: Workload): ScaleLoad {
  const { message, tables } = plannedTables(workload);
  const scale = { ...scaleDefaults, ...defined(workload.scale ?? {}) };
  const { messagesPerSecond } = workload;
  return {
    ...{ shape: wholeShape(workload.message), message, tables, scale },
    batchSize: workload.batchSize ?? workloadDefaults.batchSize,
    averageMessagesPerSecond: messagesPerSecond,
    messagesPerSecond: workload.peakMessagesPerSecond ?? messagesPerSecond,
    invocationSeconds: toMilliseconds(scale.invocationDuration) / 1000,
  };
}

/** Invocations at the same time. Source: "Understanding Lambda function scaling": rate times duration. */
export function concurrency(messagesPerSecond: number, { batchSize, invocationSeconds }: ScaleLoad): number {
  return (messagesPerSecond / batchSize) * invocationSeconds;
}
