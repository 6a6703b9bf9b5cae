import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames } from '../../observe/metrics/metric-names.ts';
import type { OutboxRelay } from '../relay/outbox-relay.ts';
import type { AlarmRow, MetricSettings } from './alarm-row.ts';
import { relayMetric, type WatchedEndpoint } from './watched-endpoint.ts';

export const relayAlarmRows = {
  relayErrors: {
    id: 'RelayErrors',
    metric: ({ relayRuns }, { period }) => relayRuns?.metricRelayErrors({ period }),
    threshold: 1,
    unit: 'runs',
    periodMinutes: 5,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    severity: 'critical',
    description:
      'A run of the relay failed: committed messages are still not sent, or the stream of a table is not read. Read the error in its log.',
    runbook: 'Not relayed: a run of the relay failed',
    needs: 'a relay',
  },
  relayStopped: {
    id: 'RelayStopped',
    metric: ({ relayRuns }, { period }) =>
      relayRuns && intervalOf(relayRuns, 3) && missingRuns(relayRuns, period),
    threshold: 1,
    unit: '(1: no run)',
    maxThreshold: 1,
    periodMinutes: 15,
    periodOf: ({ relayRuns }) => relayRuns && intervalOf(relayRuns, 3),
    evaluationPeriods: 3,
    datapointsToAlarm: 3,
    // Lambda reports no 0: without runs there are no data.
    treatMissingData: TreatMissingData.BREACHING,
    // Nor has a relay runs that was just deployed: nobody is to be called at night for that.
    severity: 'warning',
    description:
      'The relay has not run for three of its intervals: nothing sends what functions that died left. Look whether its rule is enabled, and may invoke the function.',
    runbook: 'Relay stopped: the relay does not run',
    needs: 'a relay that runs at intervals of up to 56 hours',
  },
  watcherBehind: {
    id: 'WatcherBehind',
    metric: ({ relayRuns }, { period }) =>
      relayRuns?.watcher?.metric('IteratorAge', { statistic: 'Maximum', period }),
    threshold: 3_600_000,
    unit: 'ms',
    periodMinutes: 5,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    severity: 'critical',
    description:
      'The watcher reads changes of the tables an hour late, and a stream keeps them for a day. Read the error in its log.',
    runbook: 'Watcher is behind',
    needs: 'a relay with a watcher',
  },
  watcherErrors: {
    id: 'WatcherErrors',
    metric: ({ relayRuns }, { period }) => relayRuns?.watcher?.metricErrors({ period }),
    threshold: 1,
    unit: 'invocations',
    periodMinutes: 5,
    evaluationPeriods: 3,
    // One that is over at once is repeated by Lambda.
    datapointsToAlarm: 3,
    severity: 'warning',
    description:
      'Invocations of the watcher fail again and again, and the changes of a shard wait behind them. Read the error in its log.',
    runbook: 'Watcher is behind',
    needs: 'a relay with a watcher',
  },
  undispatched: {
    id: 'Undispatched',
    metric: (watched, { period }) =>
      watched.relay && intervalOf(watched.relay, 2) && oldestAge(watched, period),
    threshold: 3_600,
    unit: 's',
    periodMinutes: 15,
    periodOf: ({ relay }) => periodOfRuns(relay),
    evaluationPeriods: 2,
    datapointsToAlarm: 2,
    severity: 'warning',
    description:
      'Committed messages have not been sent for too long, though the relay runs. Look at the log of its runs.',
    runbook: 'Undispatched records',
    needs: 'a relay with a metricsNamespace that runs at intervals of up to 84 hours',
  },
} as const satisfies Readonly<Record<string, AlarmRow<WatchedEndpoint>>>;

/** Source: PutMetricAlarm in the API reference of CloudWatch: the periods are together at most 7 days. */
const longestRange = Duration.days(7);
const shortestPeriodOfRuns = Duration.minutes(15);

/** `undefined` if an alarm cannot look at so many of them, or it is not known. */
function intervalOf({ every }: OutboxRelay, intervals: number): Duration | undefined {
  const isSeen = !every.isUnresolved() && every.toSeconds() * intervals <= longestRange.toSeconds();
  return isSeen ? every : undefined;
}

/** A run writes its metrics once: a shorter period would have no data in between. */
function periodOfRuns(relay: OutboxRelay | undefined): Duration | undefined {
  const interval = relay && intervalOf(relay, 2);
  return interval && interval.toSeconds() > shortestPeriodOfRuns.toSeconds()
    ? interval
    : shortestPeriodOfRuns;
}

function oldestAge(watched: WatchedEndpoint, period: MetricSettings['period']): Metric | undefined {
  return relayMetric(watched, metricNames.oldestRecordAge, { period, statistic: 'Maximum' });
}

function missingRuns({ function: handler }: OutboxRelay, period: MetricSettings['period']): MathExpression {
  return new MathExpression({
    expression: 'IF(runs > 0, 0, 1)',
    usingMetrics: { runs: handler.metricInvocations({ statistic: 'Sum' }) },
    label: 'The relay does not run',
    period,
  });
}
