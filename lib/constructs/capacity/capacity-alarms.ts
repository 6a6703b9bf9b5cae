import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type Metric,
  type MetricOptions,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { SagaboxError } from '../../core/failures/errors.ts';
import { isKnown } from './autoscaled-capacity.ts';
import type { PlannedUnits } from './planned-units.ts';

/** Settings of the alarms of a table. */
export interface CapacityAlarmOptions {
  /**
   * Where alarms are sent.
   *
   * @default - nowhere: add actions to the table's `capacityAlarms`
   */
  readonly topic?: ITopic | Topic;

  /**
   * The share of the planned units, in percent, that may be consumed in each of five minutes; 1 to 1000.
   *
   * @default 80
   */
  readonly consumedPercent?: number;
}

/** What alarms are made of. */
export interface AlarmedTable {
  readonly planned: PlannedUnits;
  readonly indexName: string | undefined;
  readonly metric: (metricName: string, options: MetricOptions) => Metric;
  readonly tableName: string;
}

const alarmDefaults = { consumedPercent: 80 } as const;
const consumedPercentLimits = { minimum: 1, maximum: 1000 } as const;
const period = Duration.minutes(1);

interface AlarmRow {
  readonly id: string;
  readonly metricName: string;
  readonly evaluationPeriods: number;
  /** What the sum of a minute may be; nothing when the alarm makes no sense for the table. */
  readonly threshold: (table: AlarmedTable, consumedPercent: number) => number | undefined;
  readonly ofIndex?: true;
  readonly description: string;
}

/**
 * Throttles are counted by the events of the table and not by the requests of each operation:
 * `ThrottledRequests` leaves out a batch of which a part is throttled ("DynamoDB metrics and dimensions").
 */
const alarmRows: readonly AlarmRow[] = [
  {
    id: 'ConsumedReadUnits',
    metricName: 'ConsumedReadCapacityUnits',
    evaluationPeriods: 5,
    threshold: ({ planned }, percent) => unitsOfMinute(planned.read, percent),
    description: 'Reads have been close to, or above, what is planned for 5 minutes',
  },
  {
    id: 'ConsumedWriteUnits',
    metricName: 'ConsumedWriteCapacityUnits',
    evaluationPeriods: 5,
    threshold: ({ planned }, percent) => unitsOfMinute(planned.write, percent),
    description: 'Writes have been close to, or above, what is planned for 5 minutes',
  },
  {
    id: 'ReadThrottles',
    metricName: 'ReadThrottleEvents',
    evaluationPeriods: 1,
    threshold: () => 0,
    description: 'Reads are throttled: messages wait, or are delivered again',
  },
  {
    id: 'WriteThrottles',
    metricName: 'WriteThrottleEvents',
    evaluationPeriods: 1,
    threshold: () => 0,
    description: 'Writes are throttled: messages wait, or are delivered again',
  },
  {
    id: 'IndexWriteThrottles',
    metricName: 'WriteThrottleEvents',
    evaluationPeriods: 1,
    threshold: ({ indexName }) => (indexName === undefined ? undefined : 0),
    ofIndex: true,
    description: 'Writes to the relay index are throttled, and those to its table with them',
  },
];

/** @throws SagaboxError `Configuration` when the share is out of range */
export function addCapacityAlarms(
  scope: Construct,
  table: AlarmedTable,
  { topic, consumedPercent = alarmDefaults.consumedPercent }: CapacityAlarmOptions,
): readonly Alarm[] {
  assertConsumedPercent(consumedPercent);
  return alarmRows.flatMap((row) => {
    const threshold = row.threshold(table, consumedPercent);
    if (threshold === undefined) return [];
    const alarm = new Alarm(scope, row.id, {
      metric: metricOf(row, table),
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: row.evaluationPeriods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: row.description,
    });
    if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
    return [alarm];
  });
}

function metricOf({ metricName, ofIndex }: AlarmRow, { metric, tableName, indexName }: AlarmedTable): Metric {
  const sums = { statistic: 'Sum', period };
  if (!ofIndex || indexName === undefined) return metric(metricName, sums);
  return metric(metricName, {
    ...sums,
    dimensionsMap: { TableName: tableName, GlobalSecondaryIndexName: indexName },
  });
}

function unitsOfMinute(unitsPerSecond: number | undefined, percent: number): number | undefined {
  if (unitsPerSecond === undefined || !isKnown(unitsPerSecond)) return undefined;
  return Math.round((unitsPerSecond * period.toSeconds() * percent) / 100);
}

function assertConsumedPercent(percent: number): void {
  const { minimum, maximum } = consumedPercentLimits;
  if (!isKnown(percent) || (percent >= minimum && percent <= maximum)) return;
  throw new SagaboxError('Configuration', {
    setting: 'capacityAlarms.consumedPercent',
    problem: `${percent} is out of range`,
    remedy: `Use a value from ${minimum} to ${maximum}`,
  });
}
