import { describe, expect, it } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { EndpointMonitoring, type MessageEndpointProps, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { inlineEndpoint, ordersEndpoint, violationsOf } from '../support.ts';
import { alarmsOf, monitored } from './support.ts';

describe('the alarms of a relay', () => {
  const withRelay = (relayProps: object, endpointProps: Partial<MessageEndpointProps> = {}, alarms = {}) => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      outboxTable: new OutboxTable(scope, 'Outbox'),
      ...endpointProps,
    }));
    const relay = new OutboxRelay(stack, 'Relay', { endpoints: [orders], ...relayProps });
    new EndpointMonitoring(stack, 'Monitoring', { endpoint: orders, relay, alarms });
    return stack;
  };

  it.each<[string | undefined, string | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    ['Shop', undefined, 'Shop'],
    ['Shop', 'Relays', 'Relays'],
    [undefined, 'Relays', 'Relays'],
  ])('watch undispatched records in the namespace of its runs (%s, %s): %s', (ofEndpoint, own, expected) => {
    const metricsNamespace = { metricsNamespace: ofEndpoint } as Partial<MessageEndpointProps>;
    const stack = withRelay(own === undefined ? {} : { metricsNamespace: own }, metricsNamespace);
    const alarm = alarmsOf(stack)['orders:undispatched'];
    expect(alarm).toEqual(
      expected &&
        expect.objectContaining({
          Namespace: expected,
          MetricName: 'OldestUndispatchedRecordAge',
          Dimensions: [{ Name: 'endpoint', Value: 'orders' }],
        }),
    );
  });

  it.each([
    [Duration.minutes(1), 60],
    [Duration.minutes(15), 900],
    [Duration.hours(56), 201_600],
    [Duration.hours(57), undefined],
  ])('tell that it does not run for three of its intervals: %s', (every, period) => {
    const stack = withRelay({ every });
    const alarm = alarmsOf(stack)['orders:relayStopped'];
    expect(alarm?.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period).toBe(period);
    if (period !== undefined) {
      expect(alarm).toMatchObject({
        EvaluationPeriods: 3,
        DatapointsToAlarm: 3,
        TreatMissingData: 'breaching',
      });
      // Raised from the first deployment to the first run.
      expect(alarm?.AlarmDescription).toContain('Severity: warning');
    }
    expect(violationsOf(stack)).toBe('');
  });

  it.each([
    [Duration.minutes(1), 900],
    [Duration.minutes(15), 900],
    [Duration.hours(1), 3_600],
    [Duration.hours(84), 302_400],
    [Duration.hours(85), undefined],
  ])('look at undispatched records with data of a run in each period: %s', (every, period) => {
    const stack = withRelay({ every }, { metricsNamespace: 'Shop' });
    expect(alarmsOf(stack)['orders:undispatched']?.Period).toBe(period);
    expect(violationsOf(stack)).toBe('');
  });

  it('report settings of one that an alarm cannot watch', () => {
    const stack = withRelay({ every: Duration.hours(57) }, {}, { relayStopped: { threshold: 1 } });
    expect(violationsOf(stack)).toContain(
      'relayStopped needs a relay that runs at intervals of up to 56 hours',
    );
  });

  it('report a relay of other endpoints', () => {
    const { stack, relay } = monitored();
    const endpoint = inlineEndpoint(stack, 'Billing');
    new EndpointMonitoring(stack, 'BillingMonitoring', { endpoint, relay });
    expect(violationsOf(stack)).toContain("relay: 'Test/Relay' relays no records of 'Test/Billing'");
  });
});
