import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import {
  EndpointMonitoring,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import { alarmRows, type EndpointAlarmName } from '../../../lib/constructs/monitoring/endpoint-alarm-rows.ts';
import { inlineEndpoint, ordersEndpoint, unbundledStack, violationsOf } from '../support.ts';
import { type AlarmProperties, alarmsOf, barelyMonitored, monitored } from './support.ts';

/** Those that need something that `monitored` does not have. */
const elsewhere = ['undelivered'];
const ofTables = ['consumedReadUnits', 'consumedWriteUnits', 'readThrottles', 'writeThrottles'];
const always = ['deadLetters', 'errors', 'oldestMessage', 'timeToDrain'].concat([
  'functionErrors',
  'functionThrottles',
  'durationNearTimeout',
  'silent',
]);

const namesOf = (alarms: object) => Object.keys(alarms).toSorted();
const keys = (names: readonly string[], of = 'orders') => names.map((name) => `${of}:${name}`);

/** What an alarm looks at: the name of its metric, or its expression and metrics. */
function watchedBy({ MetricName, Statistic, ExtendedStatistic, Metrics = [] }: AlarmProperties): string {
  if (MetricName !== undefined) return `${Statistic ?? ExtendedStatistic} ${MetricName}`;
  const expression = Metrics.map(({ Expression }) => Expression).find((each) => each !== undefined);
  const metrics = Metrics.flatMap(({ Id, MetricStat }) =>
    MetricStat === undefined ? [] : [`${Id}: ${MetricStat.Stat} ${MetricStat.Metric.MetricName}`],
  );
  return `${expression}; ${metrics.join(', ')}`;
}

const rateOf = (metricName: string) =>
  `IF(attempts >= 50, 100 * events / attempts, 0); events: Sum ${metricName}, attempts: SampleCount MessageDuration`;

describe('the alarms of an endpoint', () => {
  it('are all there when there is something to watch for each', () => {
    const { stack, monitoring } = monitored();
    const names = Object.keys(alarmRows).filter((name) => !elsewhere.includes(name));
    const own = names.filter((name) => !ofTables.includes(name));
    const expected = [
      ...keys(own),
      ...keys(ofTables, 'orders-SagaTable'),
      ...keys(ofTables, 'orders-OutboxTable'),
    ];
    expect(namesOf(alarmsOf(stack))).toEqual(expected.toSorted());
    expect(monitoring.alarms).toHaveLength(expected.length);
    expect(violationsOf(stack)).toBe('');
  });

  it('are those of its queues and its function when it has nothing more', () => {
    const { stack } = barelyMonitored();
    // The function states no timeout.
    const names = always.filter((name) => name !== 'durationNearTimeout');
    expect(namesOf(alarmsOf(stack))).toEqual(keys(names).toSorted());
    expect(violationsOf(stack)).toBe('');
  });

  it.each(['FIFO', 'standard'])('are the same for a %s queue', (kind) => {
    const fifo = kind === 'FIFO';
    const { stack } = monitored({}, { fifo });
    expect(namesOf(alarmsOf(stack))).toEqual(namesOf(alarmsOf(monitored().stack)));
  });

  it('are without that of lock waits when sagas are not locked', () => {
    const names = namesOf(alarmsOf(monitored({}, { locking: 'optimistic' }).stack));
    expect(names).not.toContain('orders:lockWaits');
    expect(names).toContain('orders:conflicts');
  });

  it('are without that of the error queue when there is none', () => {
    const { stack } = barelyMonitored({}, { errorQueue: false });
    expect(namesOf(alarmsOf(stack))).not.toContain('orders:errors');
    expect(namesOf(alarmsOf(stack))).toContain('orders:deadLetters');
  });

  it('have one for undelivered messages when the endpoint has a queue for them', () => {
    const stack = unbundledStack();
    const endpoint = inlineEndpoint(stack, 'Orders', { fifo: true });
    const bus = new EventBus(stack, 'Bus');
    endpoint.subscribesTo(bus, { messageTypes: ['Paid'], messageGroupId: 'all' } as never);
    new EndpointMonitoring(stack, 'Monitoring', { endpoint });
    expect(endpoint.undeliveredQueue).toBeDefined();
    expect(alarmsOf(stack)['orders:undelivered']).toMatchObject({ Threshold: 1 });
  });

  const rows = Object.entries(alarmRows) as [EndpointAlarmName, (typeof alarmRows)[EndpointAlarmName]][];
  const defaults = alarmsOf(monitored().stack);
  const ofName = (alarms: Record<string, AlarmProperties>, name: string) =>
    Object.entries(alarms).flatMap(([key, alarm]) => (key.endsWith(`:${name}`) ? [alarm] : []));

  it.each(rows.filter(([name]) => !elsewhere.includes(name)))(
    '%s has the defaults of its row',
    (name, row) => {
      const [alarm, ...others] = ofName(defaults, name);
      expect(others).toHaveLength(
        ['consumed', 'readT', 'writeT'].some((part) => name.startsWith(part)) ? 1 : 0,
      );
      const { evaluationPeriods, datapointsToAlarm, severity, runbook, description } = row;
      expect(alarm).toMatchObject({
        EvaluationPeriods: evaluationPeriods,
        DatapointsToAlarm: datapointsToAlarm,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'treatMissingData' in row ? row.treatMissingData : 'notBreaching',
      });
      if (!('hundredPercent' in row)) expect(alarm?.Threshold).toBe(row.threshold);
      const periods = [alarm?.Period, ...(alarm?.Metrics ?? []).map(({ MetricStat }) => MetricStat?.Period)];
      const stated = periods.filter((period) => period !== undefined);
      expect(stated.length).toBeGreaterThan(0);
      expect(new Set(stated)).toEqual(new Set([row.periodMinutes * 60]));
      expect(alarm?.AlarmDescription.split('\n').slice(0, 3)).toEqual([
        description,
        `Severity: ${severity}`,
        `Runbook: sagabox docs/guide/operations.md, section '${runbook}'`,
      ]);
    },
  );

  it.each<[EndpointAlarmName, string]>([
    ['deadLetters', 'Maximum ApproximateNumberOfMessagesVisible'],
    ['errors', 'Maximum ApproximateNumberOfMessagesVisible'],
    ['unsentTimeouts', 'Maximum ApproximateNumberOfMessagesVisible'],
    ['oldestMessage', 'Maximum ApproximateAgeOfOldestMessage'],
    [
      'timeToDrain',
      'waiting * PERIOD(waiting) / IF(deleted > 0, deleted, 1); ' +
        'waiting: Average ApproximateNumberOfMessagesVisible, deleted: Sum NumberOfMessagesDeleted',
    ],
    ['functionErrors', 'Sum Errors'],
    ['functionThrottles', 'Sum Throttles'],
    ['durationNearTimeout', 'p99 Duration'],
    [
      'silent',
      'IF(waiting > 0, IF(deleted > 0, 0, 1), 0); ' +
        'waiting: Minimum ApproximateNumberOfMessagesVisible, deleted: Sum NumberOfMessagesDeleted',
    ],
    ['conflicts', rateOf('SagaConflicts')],
    ['lockWaits', rateOf('SagaLockWaits')],
    ['retries', rateOf('MessageRetries')],
    ['discards', 'Sum MessagesDiscarded'],
    ['failedCompensations', 'Sum CompensationsFailed'],
    [
      'idReuse',
      'SUM([otherBody, otherType]); otherBody: Sum DuplicateBodyMismatches, otherType: Sum MessageIdsReused',
    ],
    ['relayErrors', 'Sum Errors'],
    ['relayStopped', 'IF(runs > 0, 0, 1); runs: Sum Invocations'],
    ['watcherBehind', 'Maximum IteratorAge'],
    ['watcherErrors', 'Sum Errors'],
    ['undispatched', 'Maximum OldestUndispatchedRecordAge'],
    ['readThrottles', 'Sum ReadThrottleEvents'],
    ['writeThrottles', 'Sum WriteThrottleEvents'],
    ['consumedReadUnits', 'Sum ConsumedReadCapacityUnits'],
    ['consumedWriteUnits', 'Sum ConsumedWriteCapacityUnits'],
  ])('%s watches %s', (name, watched) => {
    const found = ofName(defaults, name);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(watchedBy))).toEqual(new Set([watched]));
  });

  it('tell a silent endpoint by its queue, which reports 0 where a function that never ran has no figures', () => {
    for (const { stack } of [monitored(), barelyMonitored()]) {
      const silent = alarmsOf(stack)['orders:silent'] as AlarmProperties;
      const metrics = silent.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
      expect(metrics).toHaveLength(2);
      expect(JSON.stringify(silent.Metrics)).not.toContain('FILL');
      expect(metrics?.map(({ Namespace }) => Namespace)).toEqual(['AWS/SQS', 'AWS/SQS']);
    }
  });

  it('compare a share with what it is a share of', () => {
    const { stack } = monitored({ alarms: { durationNearTimeout: { threshold: 50 } } });
    expect(alarmsOf(stack)).toMatchObject({
      'orders:durationNearTimeout': { Threshold: 15_000 },
      'orders-OutboxTable:consumedReadUnits': { Threshold: 100 * 60 * 0.8 },
      'orders-OutboxTable:consumedWriteUnits': { Threshold: 50 * 60 * 0.8 },
    });
  });

  it('wait half of the retention when the default is longer than that', () => {
    const { stack } = barelyMonitored({}, { retention: Duration.minutes(30) });
    expect(alarmsOf(stack)['orders:oldestMessage']).toMatchObject({ Threshold: 900 });
  });

  it('are at most 10 metrics each, as CloudWatch takes no more', () => {
    for (const { Metrics = [] } of Object.values(defaults)) expect(Metrics.length).toBeLessThanOrEqual(10);
  });
});

describe('what endpoints share', () => {
  it('is watched once', () => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas'),
      outboxTable: new OutboxTable(scope, 'Outbox'),
      scheduler: new MessageScheduler(scope, 'Scheduler'),
      metricsNamespace: 'Shop',
    }));
    const { sagaTable, outboxTable, scheduler } = orders;
    const shared = { sagaTable, outboxTable, scheduler } as object;
    const billing = inlineEndpoint(stack, 'Billing', shared);
    const relay = new OutboxRelay(stack, 'Relay', { endpoints: [orders, billing] });
    new EndpointMonitoring(stack, 'OrdersMonitoring', { endpoint: orders, relay });
    new EndpointMonitoring(stack, 'BillingMonitoring', {
      endpoint: billing,
      relay,
      alarms: { readThrottles: { threshold: 5 }, relayStopped: { threshold: 1 } },
    });
    const names = namesOf(alarmsOf(stack));
    expect(names).toEqual(expect.arrayContaining(keys(['relayErrors', 'relayStopped', 'unsentTimeouts'])));
    const own = [...always.filter((name) => name !== 'durationNearTimeout'), 'undispatched'];
    expect(names.filter((name) => name.startsWith('billing'))).toEqual(keys(own, 'billing').toSorted());
    expect(violationsOf(stack)).toBe('');
  });

  it('is one table for sagas and outbox', () => {
    const stack = unbundledStack();
    const table = new OutboxTable(stack, 'Both');
    const endpoint = inlineEndpoint(stack, 'Orders', { sagaTable: table, outboxTable: table });
    new EndpointMonitoring(stack, 'Monitoring', { endpoint });
    const ofTable = namesOf(alarmsOf(stack)).filter((name) => name.includes('Table'));
    expect(ofTable).toEqual(keys(['readThrottles', 'writeThrottles'], 'orders-SharedTable'));
  });

  it('is left to a table that has alarms of its own', () => {
    const stack = unbundledStack();
    const sagaTable = new SagaTable(stack, 'Sagas', { capacityAlarms: true });
    const endpoint = inlineEndpoint(stack, 'Orders', { sagaTable });
    new EndpointMonitoring(stack, 'Monitoring', { endpoint });
    const ofTable = namesOf(alarmsOf(stack)).filter((name) => name.includes('Throttles'));
    expect(ofTable).toEqual(['Sagas:readThrottles', 'Sagas:writeThrottles', 'orders:functionThrottles']);
  });
});
