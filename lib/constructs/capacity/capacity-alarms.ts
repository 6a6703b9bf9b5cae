import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { relayIndex } from '../../core/storage/relay-index.ts';
import { assertRange, isKnown } from '../assert-range.ts';
import { type DeclaredCapacity, maxCapacity } from './declared-capacity.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

export interface CapacityAlarmOptions {
  /** @default - nowhere: add actions to the table's `capacityAlarms` */
  readonly topic?: ITopic | Topic;

  /**
   * The share of the planned units, in percent, that may be consumed in each of five minutes; 1 to 1000.
   *
   * @default 80
   */
  readonly consumedPercent?: number;
}

interface AlarmedCapacity {
  readonly capacity: DeclaredCapacity;
  readonly plan: TableWorkloadPlan | undefined;
  readonly hasRelayIndex: boolean;
}

const period = Duration.minutes(1);
/** A table that is locked by writes plans no reads, and a look at it is no cause for alarm. */
const MIN_PLANNED_UNITS = 1;

interface AlarmRow {
  readonly id: string;
  readonly metricName: string;
  readonly description: string;
  /** Whose planned units it compares with; without it, the alarm is on the first event. */
  readonly comparesWith?: 'read' | 'write';
  readonly ofIndex?: true;
}

/**
 * Throttles are counted by the events of the table and not by the requests of each operation:
 * `ThrottledRequests` leaves out a batch of which a part is throttled ("DynamoDB metrics and dimensions").
 */
const alarmRows: readonly AlarmRow[] = [
  {
    id: 'ConsumedReadUnits',
    metricName: 'ConsumedReadCapacityUnits',
    description: 'Reads have been close to, or above, what is planned for 5 minutes',
    comparesWith: 'read',
  },
  {
    id: 'ConsumedWriteUnits',
    metricName: 'ConsumedWriteCapacityUnits',
    description: 'Writes have been close to, or above, what is planned for 5 minutes',
    comparesWith: 'write',
  },
  {
    id: 'ReadThrottles',
    metricName: 'ReadThrottleEvents',
    description: 'Reads are throttled: messages wait, or are delivered again',
  },
  {
    id: 'WriteThrottles',
    metricName: 'WriteThrottleEvents',
    description: 'Writes are throttled: messages wait, or are delivered again',
  },
  {
    id: 'IndexWriteThrottles',
    metricName: 'WriteThrottleEvents',
    description: 'Writes to the relay index are throttled, and those to its table with them',
    ofIndex: true,
  },
];

/** @throws SagaboxError `Configuration` when the share is out of range */
export function addCapacityAlarms(
  table: Table,
  { capacity, plan, hasRelayIndex }: AlarmedCapacity,
  { topic, consumedPercent = 80 }: CapacityAlarmOptions,
): readonly Alarm[] {
  assertRange('capacityAlarms.consumedPercent', consumedPercent, { min: 1, max: 1000, fractions: true });
  const planned = plannedUnits(capacity, plan);
  return alarmRows.flatMap((row) => {
    const units = row.comparesWith === undefined ? 0 : planned[row.comparesWith];
    if (units === undefined || !isKnown(units) || (row.ofIndex && !hasRelayIndex)) return [];
    const alarm = new Alarm(table, row.id, {
      metric: metricOf(row, table),
      threshold: Math.round((units * period.toSeconds() * consumedPercent) / 100),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: row.comparesWith === undefined ? 1 : 5,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: row.description,
    });
    if (topic !== undefined) alarm.addAlarmAction(new SnsAction(topic));
    return [alarm];
  });
}

/**
 * Units per second that consumption is compared with: the peak of the plan, without what its index takes,
 * which is no consumption of the table. Else the most that the table is allowed to take.
 */
function plannedUnits(
  capacity: DeclaredCapacity,
  plan: TableWorkloadPlan | undefined,
): ReturnType<typeof maxCapacity> {
  if (plan === undefined) return maxCapacity(capacity);
  const { rcu, wcu } = plan.peak;
  return { read: Math.max(rcu, MIN_PLANNED_UNITS), write: Math.max(wcu, MIN_PLANNED_UNITS) };
}

function metricOf({ metricName, ofIndex }: AlarmRow, table: Table): Metric {
  const sums = { statistic: 'Sum', period };
  if (!ofIndex) return table.metric(metricName, sums);
  const dimensionsMap = { TableName: table.tableName, GlobalSecondaryIndexName: relayIndex.indexName };
  return table.metric(metricName, { ...sums, dimensionsMap });
}
