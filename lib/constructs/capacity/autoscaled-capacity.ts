import { Token } from 'aws-cdk-lib';
import { SagaboxError } from '../../core/failures/errors.ts';

/** Provisioned capacity that follows the load between two limits. */
export interface AutoscaledCapacity {
  /** Capacity units per second that are always there; at least 1. */
  readonly minCapacity: number;
  /** Capacity units per second that are never exceeded; at least `minCapacity`. */
  readonly maxCapacity: number;
  /**
   * The consumed share of the capacity that autoscaling holds, in percent, 20 to 90.
   *
   * @default 70
   */
  readonly targetUtilizationPercent?: number;
}

const DEFAULT_TARGET_UTILIZATION_PERCENT = 70;

/** The limits that Application Auto Scaling sets on a DynamoDB table's target. */
const targetUtilizationLimits = { minimum: 20, maximum: 90 } as const;

export function withTarget(capacity: AutoscaledCapacity): Required<AutoscaledCapacity> {
  return { targetUtilizationPercent: DEFAULT_TARGET_UTILIZATION_PERCENT, ...capacity };
}

export function assertAutoscaledCapacity(setting: string, capacity: AutoscaledCapacity): void {
  const { minCapacity, maxCapacity, targetUtilizationPercent: target } = withTarget(capacity);
  const { minimum, maximum } = targetUtilizationLimits;
  assertUnits(`${setting}.minCapacity`, minCapacity);
  assertMaximum(setting, minCapacity, maxCapacity);
  if (isKnown(target) && !(target >= minimum && target <= maximum)) {
    throw new SagaboxError('Configuration', {
      setting: `${setting}.targetUtilizationPercent`,
      problem: `${target} is out of range`,
      remedy: `Use a value from ${minimum} to ${maximum}`,
    });
  }
}

export function assertMaximum(setting: string, minCapacity: number, maxCapacity: number): void {
  if (!isKnown(maxCapacity)) return;
  if (Number.isSafeInteger(maxCapacity) && (!isKnown(minCapacity) || maxCapacity >= minCapacity)) return;
  throw new SagaboxError('Configuration', {
    setting: `${setting}.maxCapacity`,
    problem: `${maxCapacity} is no whole number of at least the minCapacity of ${minCapacity}`,
    remedy: 'Raise maxCapacity or lower minCapacity',
  });
}

export function assertUnits(setting: string, units: number | undefined): void {
  if (units === undefined || !isKnown(units) || (Number.isSafeInteger(units) && units >= 1)) return;
  throw new SagaboxError('Configuration', {
    setting,
    problem: `${units} is no capacity`,
    remedy: 'Use a whole number of at least 1',
  });
}

/** Whether the value is known before the deployment. */
export function isKnown(value: number): boolean {
  return !Token.isUnresolved(value);
}
