import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AnyTable } from '../construct-types.ts';
import type { AlarmRow, MetricSettings } from './alarm-row.ts';

export interface WatchedTable {
  readonly table: AnyTable;
  /** Units per second that consumption is compared with. */
  readonly plannedUnits: Readonly<Record<'read' | 'write', number | undefined>>;
}

/** Lasts for minutes: the SDK retries a short burst, and autoscaling takes some minutes to follow. */
const lasting = { periodMinutes: 1, evaluationPeriods: 5, datapointsToAlarm: 3 } as const;

const consumed = {
  threshold: 80,
  unit: '%',
  maxThreshold: 1_000,
  periodMinutes: 1,
  evaluationPeriods: 5,
  datapointsToAlarm: 5,
  severity: 'warning',
  runbook: 'Units and table throttles',
  needs: 'a SagaTable or an OutboxTable whose capacity has a workload or a maximum',
} as const;

const throttled = {
  ...lasting,
  threshold: 10,
  unit: 'events',
  severity: 'warning',
  runbook: 'Units and table throttles',
  needs: 'a saga table or an outbox table of the account of the endpoint',
} as const;

/**
 * Throttles are counted by the events of the table and not by the requests of each operation:
 * `ThrottledRequests` leaves out a batch of which a part is throttled ("DynamoDB metrics and dimensions").
 */
export const tableAlarmRows = {
  consumedReadUnits: {
    ...consumed,
    id: 'ConsumedReadUnits',
    metric: ({ table }, { period }) => sumOf(table, 'ConsumedReadCapacityUnits', period),
    hundredPercent: ({ plannedUnits: { read } }, period) => read && read * period.toSeconds(),
    description:
      'Reads are close to what is planned, or above it. Plan the table again, or raise its limits.',
  },
  consumedWriteUnits: {
    ...consumed,
    id: 'ConsumedWriteUnits',
    metric: ({ table }, { period }) => sumOf(table, 'ConsumedWriteCapacityUnits', period),
    hundredPercent: ({ plannedUnits: { write } }, period) => write && write * period.toSeconds(),
    description:
      'Writes are close to what is planned, or above it. Plan the table again, or raise its limits.',
  },
  readThrottles: {
    ...throttled,
    id: 'ReadThrottles',
    metric: ({ table }, { period }) => sumOf(table, 'ReadThrottleEvents', period),
    description: 'Reads are throttled: messages wait, or are delivered again. Raise the limits of the table.',
  },
  writeThrottles: {
    ...throttled,
    id: 'WriteThrottles',
    metric: ({ table }, { period }) => sumOf(table, 'WriteThrottleEvents', period),
    description:
      'Writes are throttled: messages wait, or are delivered again. Raise the limits of the table.',
  },
} as const satisfies Readonly<Record<string, AlarmRow<WatchedTable>>>;

export type TableAlarmName = keyof typeof tableAlarmRows;

export function sumOf(table: AnyTable, metricName: string, period: MetricSettings['period']): Metric {
  return table.metric(metricName, { statistic: 'Sum', period });
}
