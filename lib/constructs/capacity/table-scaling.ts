import {
  BillingMode,
  type IScalableTableAttribute,
  type Table,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { defined } from '../../kernel/defined.ts';
import type { AutoscaledCapacity } from './autoscaled-capacity.ts';
import type { DeclaredCapacity } from './declared-capacity.ts';
import type { TablePeak } from './scheduled-peak.ts';

/** What the table itself is declared with; the scaling is added once it exists. */
export function capacityTableProps(capacity: DeclaredCapacity): Partial<TableProps> {
  if (capacity.mode === 'onDemand') {
    const { maxReadRequestUnits, maxWriteRequestUnits } = capacity;
    const maxima = defined({ maxReadRequestUnits, maxWriteRequestUnits });
    return { billingMode: BillingMode.PAY_PER_REQUEST, ...maxima };
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
  scale(table.autoScaleReadCapacity(read), read, peaks, 'read');
  scale(table.autoScaleWriteCapacity(write), write, peaks, 'write');
}

function scale(
  attribute: IScalableTableAttribute,
  usual: Required<AutoscaledCapacity>,
  peaks: readonly TablePeak[],
  side: 'read' | 'write',
): void {
  attribute.scaleOnUtilization({ targetUtilizationPercent: usual.targetUtilizationPercent });
  for (const { [side]: units, name, start, end, timeZone } of peaks) {
    if (units === undefined) continue;
    const zone = defined({ timeZone });
    attribute.scaleOnSchedule(`${name}Start`, { schedule: start, ...units, ...zone });
    attribute.scaleOnSchedule(`${name}End`, { schedule: end, ...usual, ...zone });
  }
}
