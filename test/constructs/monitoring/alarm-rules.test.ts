import { describe, expect, it } from '@jest/globals';
import { Duration, Lazy } from 'aws-cdk-lib';
import type { AlarmSettings, EndpointMonitoringProps } from 'sagabox/constructs';
import { violationsOf } from '../support.ts';
import { alarmsOf, barelyMonitored, monitored } from './support.ts';

const { minutes, hours, days } = Duration;
const asJavaScript = (settings: object) => settings as AlarmSettings;

type Alarms = Exclude<EndpointMonitoringProps['alarms'], false | undefined>;
const perTime = (period: Duration, evaluationPeriods: number): Alarms => ({
  oldestMessage: { period, evaluationPeriods },
});

/** Settings on both sides of each limit, with what is reported of them. */
const cases: [Alarms, string][] = [
  [{ deadLetters: { threshold: 1 } }, ''],
  [{ deadLetters: { threshold: 0.9 } }, 'alarms.deadLetters.threshold: 0.9 is out of range.'],
  [{ deadLetters: { threshold: 1_000_000_000 } }, ''],
  [
    { deadLetters: { threshold: 1_000_000_001 } },
    'alarms.deadLetters.threshold: 1000000001 is out of range.',
  ],
  [{ durationNearTimeout: { threshold: 0.1 } }, ''],
  [{ durationNearTimeout: { threshold: 0 } }, 'alarms.durationNearTimeout.threshold: 0 is out of range.'],
  [{ durationNearTimeout: { threshold: 100 } }, ''],
  [{ durationNearTimeout: { threshold: 101 } }, 'Use a value from 0.1 to 100.'],
  [{ oldestMessage: { threshold: 345_600 } }, ''],
  [{ oldestMessage: { threshold: 345_601 } }, 'alarms.oldestMessage.threshold: 345601 is out of range.'],
  [{ silent: { threshold: 2 } }, 'alarms.silent.threshold: 2 is out of range.'],
  [{ readThrottles: { threshold: Number.NaN } }, 'alarms.readThrottles.threshold: NaN is out of range.'],
  [{ oldestMessage: { evaluationPeriods: 1 } }, ''],
  [{ oldestMessage: { evaluationPeriods: 0 } }, 'alarms.oldestMessage.evaluationPeriods: 0 is out of range.'],
  [{ oldestMessage: { evaluationPeriods: 1.5 } }, 'evaluationPeriods: 1.5 is out of range.'],
  [{ oldestMessage: { datapointsToAlarm: 3 } }, ''],
  [{ oldestMessage: { datapointsToAlarm: 4 } }, 'datapointsToAlarm: 4 is out of range.'],
  [{ oldestMessage: { datapointsToAlarm: 0 } }, 'datapointsToAlarm: 0 is out of range.'],
  [{ oldestMessage: { datapointsToAlarm: 4, evaluationPeriods: 4 } }, ''],
  [perTime(minutes(1), 1_440), ''],
  [perTime(minutes(1), 1_441), 'Use a whole number from 1 to 1440.'],
  [perTime(minutes(59), 24), ''],
  [perTime(minutes(59), 25), 'evaluationPeriods: 25 is out of range.'],
  [perTime(hours(1), 168), ''],
  [perTime(hours(1), 169), 'Use a whole number from 1 to 168.'],
  [perTime(days(7), 1), ''],
  [perTime(days(8), 1), 'alarms.oldestMessage.period: 691200 s is longer than the 7 days'],
  [{ oldestMessage: { period: days(2) } }, ''],
  [{ oldestMessage: { period: days(3) } }, 'Set evaluationPeriods to 2 or less.'],
  [{ oldestMessage: { period: Duration.seconds(60) } }, ''],
  [{ oldestMessage: { period: Duration.seconds(30) } }, 'alarms.oldestMessage.period: 30 s is out of range.'],
  [{ oldestMessage: { period: Duration.seconds(90) } }, 'Use whole minutes, from 1.'],
  [{ oldestMessage: { period: minutes(0) } }, 'alarms.oldestMessage.period: 0 s is out of range.'],
  [
    { oldestMessage: { period: minutes(Lazy.number({ produce: () => 5 })) } },
    'alarms.oldestMessage.period: it is known only at deployment.',
  ],
  [{ conflicts: { minMetricSamplesToAlarm: 1 } }, ''],
  [{ conflicts: { minMetricSamplesToAlarm: 0 } }, 'minMetricSamplesToAlarm: 0 is out of range.'],
  [{ errors: { minMetricSamplesToAlarm: 1 } }, 'minMetricSamplesToAlarm: the alarm is on no rate.'],
  [{ errors: { severity: 'critical' } }, ''],
  [{ errors: asJavaScript({ severity: 'high' }) }, "alarms.errors.severity: 'high' is not known."],
  [{ errors: asJavaScript({ treatMissingData: 'breaching' }) }, ''],
  [
    { errors: asJavaScript({ treatMissingData: 'bad' }) },
    "alarms.errors.treatMissingData: 'bad' is not known. Use a value of TreatMissingData.",
  ],
  [
    { errors: asJavaScript({ treshold: 1 }) },
    "alarms.errors.treshold: there is no such setting (did you mean 'threshold'?). Rename it, or leave it out.",
  ],
  [
    { errors: asJavaScript({ limit: 1 }) },
    'alarms.errors.limit: there is no such setting. Rename it, or leave it out.',
  ],
  [{ errors: { alarmName: 'a'.repeat(255) } }, ''],
  [{ errors: { alarmName: 'a'.repeat(256) } }, 'alarms.errors.alarmName: an alarm name has 256 characters.'],
  [{ errors: { alarmName: '' } }, 'alarms.errors.alarmName: an alarm name has 0 characters.'],
  [{ errors: { dedupeString: 'a'.repeat(700) } }, ''],
  [{ errors: { dedupeString: 'a'.repeat(1_024) } }, 'alarms.errors: its description has '],
  [{ idle: false } as Alarms, 'alarms.idle: there is no such setting. Rename it, or leave it out.'],
  [{ undelivered: false }, ''],
  [{ undelivered: { threshold: 2 } }, 'alarms.undelivered: '],
];

/** With durations as a reader writes them. */
const named = cases.map(([alarms, report]) => {
  const settings = JSON.stringify(alarms, (_name, value) => (value instanceof Duration ? `${value}` : value));
  return [
    settings.slice(0, 120),
    report === '' ? 'taken' : `reported as: ${report}`,
    alarms,
    report,
  ] as const;
});

describe('the settings of alarms', () => {
  it.each(named)('%s are %s', (_settings, _outcome, alarms, report) => {
    const needsMore = ['conflicts', 'readThrottles', 'durationNearTimeout'].some(
      (name) => name in Object(alarms),
    );
    const { monitoring } = needsMore ? monitored({ alarms }) : barelyMonitored({ alarms });
    expect(monitoring.node.validate()).toEqual(report === '' ? [] : [expect.stringContaining(report)]);
  });

  it('are reported all at once, once each', () => {
    const { stack } = monitored({ alarms: { errors: { threshold: 0 }, readThrottles: { threshold: 0 } } });
    const found = violationsOf(stack);
    expect(found).toContain('alarms.errors.threshold: 0');
    expect(found.split('alarms.readThrottles.threshold: 0')).toHaveLength(2);
  });

  it('are refused where there is nothing to watch, with what it needs', () => {
    const { stack } = barelyMonitored({
      alarms: { conflicts: { threshold: 5 }, readThrottles: { threshold: 5 } },
    });
    const found = violationsOf(stack);
    expect(found).toContain('conflicts needs metricsNamespace and a sagaTable of the endpoint');
    expect(found).toContain(
      'readThrottles needs a saga table or an outbox table of the account of the endpoint.',
    );
  });

  it('watch failed compensations without a saga table, too: a saga store of your own has them', () => {
    const alarms = alarmsOf(barelyMonitored({}, { metricsNamespace: 'Shop' }).stack);
    expect(alarms['orders:failedCompensations']).toMatchObject({ MetricName: 'CompensationsFailed' });
    expect(alarms['orders:discards']).toBeUndefined();
  });

  it('are used, each beside the defaults of the others', () => {
    const conflicts = { minMetricSamplesToAlarm: 7, threshold: 30, period: minutes(1) };
    const errors = { threshold: 5, period: minutes(10), evaluationPeriods: 4, datapointsToAlarm: 2 } as const;
    const more = {
      severity: 'critical',
      actionsEnabled: false,
      alarmName: 'Mine',
      dedupeString: 'one',
    } as const;
    const links = { runbookLink: 'https://wiki/errors', documentationLink: 'https://wiki/orders' };
    const { stack } = monitored({
      alarms: { conflicts, errors: { ...errors, ...more, ...links }, deadLetters: false },
    });
    const alarms = alarmsOf(stack);
    expect(alarms['orders:deadLetters']).toBeUndefined();
    expect(alarms.one).toMatchObject({
      Threshold: 5,
      Period: 600,
      EvaluationPeriods: 4,
      DatapointsToAlarm: 2,
      AlarmName: 'Mine',
      ActionsEnabled: false,
    });
    expect(alarms.one?.AlarmDescription.split('\n').slice(1)).toEqual([
      'Severity: critical',
      'Runbook: https://wiki/errors',
      'Documentation: https://wiki/orders',
      'Dedupe: one',
    ]);
    const [rate] = alarms['orders:conflicts']?.Metrics ?? [];
    expect(rate?.Expression).toBe('IF(attempts >= 7, 100 * events / attempts, 0)');
    expect(violationsOf(stack)).toBe('');
  });

  it('take fewer datapoints when there are fewer periods', () => {
    const { stack } = barelyMonitored({ alarms: { oldestMessage: { evaluationPeriods: 2 } } });
    expect(alarmsOf(stack)['orders:oldestMessage']).toMatchObject({
      EvaluationPeriods: 2,
      DatapointsToAlarm: 2,
    });
  });
});
