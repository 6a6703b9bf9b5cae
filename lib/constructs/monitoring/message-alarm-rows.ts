import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames } from '../../observe/metrics/metric-names.ts';
import type { AlarmRow, MetricSettings } from './alarm-row.ts';
import { messageMetric, type WatchedEndpoint } from './watched-endpoint.ts';

const rate = {
  unit: '%',
  periodMinutes: 5,
  evaluationPeriods: 3,
  datapointsToAlarm: 3,
  minMetricSamplesToAlarm: 50,
  severity: 'warning',
} as const;

const ofSagas = 'metricsNamespace and a sagaTable of the endpoint';

export const messageAlarmRows = {
  conflicts: {
    ...rate,
    id: 'Conflicts',
    metric: (watched, settings) => rateOf(metricNames.conflict, withSagas(watched), settings),
    threshold: 20,
    maxThreshold: 1_000,
    description:
      'Many handlers meet at the same sagas, and are retried. Split the sagas, use message groups, or lock them.',
    runbook: 'Conflicts',
    needs: ofSagas,
  },
  lockWaits: {
    ...rate,
    id: 'LockWaits',
    metric: (watched, settings) => rateOf(metricNames.lockWait, withLocks(watched), settings),
    threshold: 20,
    maxThreshold: 1_000,
    description:
      'Many handlers wait for sagas that others have locked. Shorten the handlers, split the sagas, or use message groups.',
    runbook: 'Lock waits',
    needs: 'metricsNamespace, a sagaTable and pessimistic locking of the endpoint',
  },
  retries: {
    ...rate,
    id: 'Retries',
    metric: (watched, settings) => rateOf(metricNames.retry, watched, settings),
    threshold: 20,
    maxThreshold: 1_000,
    description:
      'Many messages fail and are retried in their invocation. Look at the codes of the failures in the log.',
    runbook: 'Retries',
    needs: 'metricsNamespace of the endpoint',
  },
  discards: {
    id: 'Discards',
    metric: (watched, { period }) => countOf(metricNames.discarded, withSagas(watched), period),
    threshold: 10,
    unit: 'messages',
    periodMinutes: 15,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    severity: 'warning',
    description:
      'Messages find no saga and start none: they are dropped. Look at their types and ids in the log.',
    runbook: 'Discards',
    needs: ofSagas,
  },
  failedCompensations: {
    id: 'FailedCompensations',
    metric: (watched, { period }) => countOf(metricNames.compensationFailed, watched, period),
    threshold: 1,
    unit: 'compensations',
    periodMinutes: 5,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    severity: 'critical',
    description:
      'A compensation failed, and its process waits. List such processes, and resume them or take the steps back by hand.',
    runbook: 'Failed compensations',
    needs: 'metricsNamespace of the endpoint',
  },
  idReuse: {
    id: 'IdReuse',
    metric: (watched, { period }) => reusedIds(watched, period),
    threshold: 1,
    unit: 'messages',
    periodMinutes: 5,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    severity: 'critical',
    description:
      'A message has the id of another that was handled, with another body or type, and is not handled. Mend the sender.',
    runbook: 'Id reuse',
    needs: 'metricsNamespace of the endpoint',
  },
} as const satisfies Readonly<Record<string, AlarmRow<WatchedEndpoint>>>;

function withSagas(watched: WatchedEndpoint): WatchedEndpoint | undefined {
  return watched.endpoint.sagaTable === undefined ? undefined : watched;
}

function withLocks(watched: WatchedEndpoint): WatchedEndpoint | undefined {
  return watched.endpoint.locking === 'pessimistic' ? withSagas(watched) : undefined;
}

function countOf(
  metricName: string,
  watched: WatchedEndpoint | undefined,
  period: MetricSettings['period'],
): ReturnType<typeof messageMetric> {
  return watched && messageMetric(watched, metricName, { period });
}

/** `SUM` leaves out what is missing, where `+` would have no value without both. */
function reusedIds(watched: WatchedEndpoint, period: MetricSettings['period']): MathExpression | undefined {
  const otherBody = messageMetric(watched, metricNames.bodyMismatch, {});
  const otherType = messageMetric(watched, metricNames.messageIdReused, {});
  if (otherBody === undefined || otherType === undefined) return undefined;
  return new MathExpression({
    expression: 'SUM([otherBody, otherType])',
    usingMetrics: { otherBody, otherType },
    label: 'Messages with the id of another',
    period,
  });
}

/** Events in 100 attempts: an attempt has one duration. A period of too few attempts has a rate of 0. */
function rateOf(
  metricName: string,
  watched: WatchedEndpoint | undefined,
  { period, minSamples }: MetricSettings,
): MathExpression | undefined {
  const events = watched && messageMetric(watched, metricName, {});
  const attempts = watched && messageMetric(watched, metricNames.duration, { statistic: 'SampleCount' });
  if (events === undefined || attempts === undefined) return undefined;
  return new MathExpression({
    expression: `IF(attempts >= ${minSamples}, 100 * events / attempts, 0)`,
    usingMetrics: { events, attempts },
    label: `${metricName} in 100 attempts`,
    period,
  });
}
