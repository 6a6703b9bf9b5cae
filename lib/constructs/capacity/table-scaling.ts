import {
  BillingMode,
  type IScalableTableAttribute,
  type Table,
  type TableProps,
  type WarmThroughput,
} from 'aws-cdk-lib/aws-dynamodb';
import type { AutoscaledCapacity } from './autoscaled-capacity.ts';
import type { DeclaredCapacity } from './declared-capacity.ts';
import type { PeakUnits } from './scheduled-peak.ts';
import type { TablePeak } from './table-peak.ts';

/** What the table itself is declared with; the scaling is added once it exists. */
export function capacityTableProps(capacity: DeclaredCapacity): Partial<TableProps> {
  if (capacity.mode === 'onDemand') {
    const { maxReadRequestUnits, maxWriteRequestUnits } = capacity;
    return {
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...(maxReadRequestUnits === undefined ? {} : { maxReadRequestUnits: maxReadRequestUnits }),
      ...(maxWriteRequestUnits === undefined ? {} : { maxWriteRequestUnits: maxWriteRequestUnits }),
    };
  }
  return {
    billingMode: BillingMode.PROVISIONED,
    readCapacity: capacity.read.minCapacity,
    writeCapacity: capacity.write.minCapacity,
  };
}

export function addAutoscaling(table: Table, capacity: DeclaredCapacity): void {
  if (capacity.mode === 'onDemand') return;
  const { read, write, peaks } = capacity;
  scale(table.autoScaleReadCapacity(limitsOf(read)), read, peaks, 'read');
  scale(table.autoScaleWriteCapacity(limitsOf(write)), write, peaks, 'write');
}

/** What the relay index is declared with: it has capacity of its own. */
export function indexCapacityProps(
  capacity: DeclaredCapacity,
  warmThroughput: WarmThroughput | undefined,
): { readCapacity?: number; writeCapacity?: number; warmThroughput?: WarmThroughput } {
  const { writeUnitsPerSecond } = warmThroughput ?? {};
  return {
    ...(capacity.mode === 'provisioned'
      ? { readCapacity: capacity.index.readUnits, writeCapacity: capacity.index.write.minCapacity }
      : {}),
    ...(writeUnitsPerSecond === undefined ? {} : { warmThroughput: { writeUnitsPerSecond } }),
  };
}

/** An index that cannot follow throttles the writes of its table. */
export function addIndexAutoscaling(table: Table, indexName: string, capacity: DeclaredCapacity): void {
  if (capacity.mode === 'onDemand') return;
  const { write, peaks } = capacity.index;
  const attribute = table.autoScaleGlobalSecondaryIndexWriteCapacity(indexName, limitsOf(write));
  scale(attribute, write, peaks, 'write');
}

function scale(
  attribute: IScalableTableAttribute,
  outside: Required<AutoscaledCapacity>,
  peaks: readonly TablePeak[],
  side: 'read' | 'write',
): void {
  attribute.scaleOnUtilization({ targetUtilizationPercent: outside.targetUtilizationPercent });
  for (const { [side]: units, name, start, end, timeZone } of peaks) {
    if (units === undefined) continue;
    const zone = timeZone === undefined ? {} : { timeZone };
    attribute.scaleOnSchedule(`${name}Start`, { schedule: start, ...limitsOf(units), ...zone });
    attribute.scaleOnSchedule(`${name}End`, { schedule: end, ...limitsOf(outside), ...zone });
  }
}

function limitsOf({ minCapacity, maxCapacity }: Required<PeakUnits>): {
  minCapacity: number;
  maxCapacity: number;
} {
  return { minCapacity: minCapacity, maxCapacity: maxCapacity };
}
