import { defined } from '../../kernel/defined.ts';
import { toMilliseconds, toSeconds } from '../../kernel/duration.ts';
import { embeddedLimits } from '../../outbox/embedded/embedded-write.ts';
import type { MessagePlan } from '../message-shape.ts';
import { planMessage } from '../plan-message.ts';
import { plannedTables } from '../planned-tables.ts';
import { limitError } from '../rules/shape-limits.ts';
import { type WholeShape, wholeShape } from '../shape-defaults.ts';
import type { Workload, WorkloadPlan } from '../workload.ts';
import { workloadDefaults } from '../workload-defaults.ts';
import { scaleDefaults, type WholeScale } from './scale-shape.ts';

/** What limits are compared with. */
export interface ScaleLoad {
  readonly shape: WholeShape;
  readonly message: MessagePlan;
  /** What a message of the busiest saga takes. */
  readonly busiestSaga: MessagePlan;
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
  const { messagesPerSecond, sharedTable = workloadDefaults.sharedTable } = workload;
  const ofBusiest = { ...workload.message, liveIds: liveIdsOfBusiest(workload) };
  // A saga whose full inbox does not fit is planned with that of the others.
  const fits = limitError(wholeShape(ofBusiest)) === undefined;
  const busiestSaga = fits ? planMessage(ofBusiest, { sharedTable }) : message;
  return {
    ...{ shape: wholeShape(workload.message), message, busiestSaga, tables, scale },
    batchSize: workload.batchSize ?? workloadDefaults.batchSize,
    averageMessagesPerSecond: messagesPerSecond,
    messagesPerSecond: workload.peakMessagesPerSecond ?? messagesPerSecond,
    invocationSeconds: toMilliseconds(scale.invocationDuration) / 1000,
  };
}

/** The messages that the busiest saga handles within the deduplication period, as far as its inbox holds them. */
export function liveIdsOfBusiest({ message, scale, deduplicationPeriod }: Workload): number {
  const { busiestSagaMessagesPerSecond: busiest } = { ...scaleDefaults, ...defined(scale ?? {}) };
  const handled = busiest * toSeconds(deduplicationPeriod ?? workloadDefaults.deduplicationPeriod);
  return Math.max(wholeShape(message).liveIds, Math.min(handled, embeddedLimits.inboxMessages + 1));
}

/** Invocations at the same time. Source: "Understanding Lambda function scaling": rate times duration. */
export function concurrency({ messagesPerSecond, batchSize, invocationSeconds }: ScaleLoad): number {
  return (messagesPerSecond / batchSize) * invocationSeconds;
}

/** An execution environment takes this many requests a second, however short they are. */
const REQUESTS_PER_ENVIRONMENT = 10;

/**
 * Execution environments that the quotas count. Source: "Understanding Lambda function scaling": requests a second
 * are limited to ten times the concurrency, so that an invocation of less than 100 ms counts as one of 100 ms.
 */
export function countedConcurrency(load: ScaleLoad): number {
  return concurrency({
    ...load,
    invocationSeconds: Math.max(load.invocationSeconds, 1 / REQUESTS_PER_ENVIRONMENT),
  });
}
