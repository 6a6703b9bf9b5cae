import { Token } from 'aws-cdk-lib';
import { BillingMode, type Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { SagaboxError } from '../core/errors.ts';

/** Provisioned capacity that follows the load between two limits. */
export interface AutoscaledCapacity {
  /** Capacity units per second that are always there; at least 1. */
  readonly minUnits: number;
  /** Capacity units per second that are never exceeded; at least `minUnits`. */
  readonly maxUnits: number;
  /**
   * The consumed share of the capacity that autoscaling holds, in percent, 20 to 90.
   *
   * @default 70
   */
  readonly targetUtilizationPercent?: number;
}

/** Each request is paid for by itself; nothing to plan. */
export interface OnDemandBilling {
  readonly mode: 'on-demand';
}

/** Capacity is provisioned, and scaled with the load: cheaper than on-demand when the load is steady. */
export interface AutoscaledBilling {
  readonly mode: 'autoscaled';
  readonly read: AutoscaledCapacity;
  readonly write: AutoscaledCapacity;
}

/** How a table's reads and writes are paid for. */
export type TableBilling = OnDemandBilling | AutoscaledBilling;

export const defaultBilling: TableBilling = { mode: 'on-demand' };
const DEFAULT_TARGET_UTILIZATION_PERCENT = 70;

/** The limits that Application Auto Scaling sets on a DynamoDB table's target. */
const targetUtilizationLimits = { minimum: 20, maximum: 90 } as const;

export function assertBilling(billing: TableBilling): void {
  if (billing.mode === 'on-demand') return;
  assertCapacity('billing.read', billing.read);
  assertCapacity('billing.write', billing.write);
}

/** What the table itself is declared with; the scaling is added once it exists. */
export function billingTableProps(billing: TableBilling): Partial<TableProps> {
  if (billing.mode === 'on-demand') return { billingMode: BillingMode.PAY_PER_REQUEST };
  return {
    billingMode: BillingMode.PROVISIONED,
    readCapacity: billing.read.minUnits,
    writeCapacity: billing.write.minUnits,
  };
}

export function addAutoscaling(table: Table, billing: TableBilling): void {
  if (billing.mode === 'on-demand') return;
  const { read, write } = billing;
  table
    .autoScaleReadCapacity({ minCapacity: read.minUnits, maxCapacity: read.maxUnits })
    .scaleOnUtilization({ targetUtilizationPercent: targetOf(read) });
  table
    .autoScaleWriteCapacity({ minCapacity: write.minUnits, maxCapacity: write.maxUnits })
    .scaleOnUtilization({ targetUtilizationPercent: targetOf(write) });
}

/** Enough for the searches of a few recoveries; a search that is throttled goes on later. */
const INDEX_READ_UNITS = 5;

/** What an index of the table is declared with: it takes as many writes as the table, and hardly a read. */
export function indexCapacityProps(billing: TableBilling): { readCapacity?: number; writeCapacity?: number } {
  if (billing.mode === 'on-demand') return {};
  return { readCapacity: INDEX_READ_UNITS, writeCapacity: billing.write.minUnits };
}

/** An index that cannot follow throttles the writes of its table. */
export function addIndexAutoscaling(table: Table, indexName: string, billing: TableBilling): void {
  if (billing.mode === 'on-demand') return;
  const { write } = billing;
  table
    .autoScaleGlobalSecondaryIndexWriteCapacity(indexName, {
      minCapacity: write.minUnits,
      maxCapacity: write.maxUnits,
    })
    .scaleOnUtilization({ targetUtilizationPercent: targetOf(write) });
}

function targetOf(capacity: AutoscaledCapacity): number {
  return capacity.targetUtilizationPercent ?? DEFAULT_TARGET_UTILIZATION_PERCENT;
}

function assertCapacity(setting: string, capacity: AutoscaledCapacity): void {
  const { minUnits, maxUnits } = capacity;
  const target = targetOf(capacity);
  const { minimum, maximum } = targetUtilizationLimits;
  if (isKnown(minUnits) && !(Number.isInteger(minUnits) && minUnits >= 1)) {
    throw new SagaboxError('Configuration', {
      setting: `${setting}.minUnits`,
      problem: `${minUnits} is no capacity`,
      remedy: 'Use a whole number of at least 1',
    });
  }
  if (isKnown(maxUnits) && !(Number.isInteger(maxUnits) && (!isKnown(minUnits) || maxUnits >= minUnits))) {
    throw new SagaboxError('Configuration', {
      setting: `${setting}.maxUnits`,
      problem: `${maxUnits} is no whole number of at least the minUnits of ${minUnits}`,
      remedy: 'Raise maxUnits or lower minUnits',
    });
  }
  if (isKnown(target) && !(target >= minimum && target <= maximum)) {
    throw new SagaboxError('Configuration', {
      setting: `${setting}.targetUtilizationPercent`,
      problem: `${target} is out of range`,
      remedy: `Use a value from ${minimum} to ${maximum}`,
    });
  }
}

function isKnown(value: number): boolean {
  return !Token.isUnresolved(value);
}
