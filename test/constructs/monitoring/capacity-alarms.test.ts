import { describe, expect, it } from '@jest/globals';
import { Duration, Lazy } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import type { CapacityAlarmOptions } from '../../../lib/constructs/monitoring/capacity-alarms.ts';
import { expectViolation, unbundledStack } from '../support.ts';

/** Takes 1 RCU and 2 WCU of the saga table for each message. */
const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const orders = { message, messagesPerSecond: 70, peakMessagesPerSecond: 140 };
const provisioned = TableCapacity.provisioned({
  read: { minCapacity: 1, maxCapacity: 100 },
  write: { minCapacity: 1, maxCapacity: 1_000 },
});

interface AlarmProperties {
  readonly MetricName: string;
  readonly Threshold: number;
  readonly Dimensions: { readonly Name: string }[];
  readonly AlarmActions?: unknown[];
}

function alarmsOf(
  capacity: TableCapacity,
  capacityAlarms: true | CapacityAlarmOptions = true,
): AlarmProperties[] {
  const stack = unbundledStack();
  new SagaTable(stack, 'Sagas', { capacity, capacityAlarms });
  return propertiesOfAlarms(stack);
}

function propertiesOfAlarms(stack: ReturnType<typeof unbundledStack>): AlarmProperties[] {
  const alarms = Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm');
  return Object.values(alarms).map(({ Properties }) => Properties);
}

function thresholdsOf(alarms: readonly AlarmProperties[]): Record<string, number> {
  return Object.fromEntries(alarms.map(({ MetricName, Threshold }) => [MetricName, Threshold]));
}

const onThrottles = { ReadThrottleEvents: 10, WriteThrottleEvents: 10 };

describe('the alarms of a table', () => {
  it('are left out by default', () => {
    const stack = unbundledStack();
    expect(new SagaTable(stack, 'Sagas').capacityAlarms).toEqual([]);
    expect(propertiesOfAlarms(stack)).toEqual([]);
  });

  it.each<[string, TableCapacity, Record<string, number>]>([
    [
      'the planned peak of a workload',
      TableCapacity.forWorkload(orders),
      { ConsumedReadCapacityUnits: 140 * 60 * 0.8, ConsumedWriteCapacityUnits: 280 * 60 * 0.8 },
    ],
    [
      'the planned peak of a workload on demand',
      TableCapacity.onDemand({ workload: orders, maxReadRequestUnits: 40_000 }),
      { ConsumedReadCapacityUnits: 140 * 60 * 0.8, ConsumedWriteCapacityUnits: 280 * 60 * 0.8 },
    ],
    [
      'a unit a second at least, of a table that is not read',
      TableCapacity.forWorkload({
        ...orders,
        message: { ...message, sagaBytes: 500, locking: 'pessimistic' },
      }),
      { ConsumedReadCapacityUnits: 60 * 0.8, ConsumedWriteCapacityUnits: 140 * (1 + 2) * 60 * 0.8 },
    ],
    [
      'the most that is provisioned',
      provisioned,
      { ConsumedReadCapacityUnits: 100 * 60 * 0.8, ConsumedWriteCapacityUnits: 1_000 * 60 * 0.8 },
    ],
    [
      'a maximum on demand',
      TableCapacity.onDemand({ maxWriteRequestUnits: 50 }),
      { ConsumedWriteCapacityUnits: 50 * 60 * 0.8 },
    ],
    ['nothing, when there is no plan', TableCapacity.onDemand(), {}],
  ])('compare with %s', (_name, capacity, onUnits) => {
    expect(thresholdsOf(alarmsOf(capacity))).toEqual({ ...onUnits, ...onThrottles });
  });

  it('compare with no maximum that is known only at deployment', () => {
    const maxWriteRequestUnits = Lazy.number({ produce: () => 50 });
    expect(thresholdsOf(alarmsOf(TableCapacity.onDemand({ maxWriteRequestUnits })))).toEqual(onThrottles);
  });

  it.each([
    [0.1, 6],
    [80, 4_800],
    [1_000, 60_000],
  ])('are on %d %% of the planned units', (threshold, units) => {
    const alarms = { consumedReadUnits: { threshold } };
    expect(thresholdsOf(alarmsOf(provisioned, { alarms }))).toMatchObject({
      ConsumedReadCapacityUnits: units,
    });
  });

  it.each([0, 0.09, 1_000.1, Number.NaN])('are refused at synth on %d %%', (threshold) => {
    const stack = unbundledStack();
    const alarms = { consumedReadUnits: { threshold } };
    new SagaTable(stack, 'Sagas', { capacity: provisioned, capacityAlarms: { alarms } });
    expectViolation(stack, `[Test/Sagas] alarms.consumedReadUnits.threshold: ${threshold} is out of range`);
  });

  it('compare with the units of the period', () => {
    const alarms = { consumedReadUnits: { period: Duration.minutes(5) } };
    expect(thresholdsOf(alarmsOf(provisioned, { alarms }))).toMatchObject({
      ConsumedReadCapacityUnits: 100 * 300 * 0.8,
    });
  });

  it('are raised by five minutes of the planned units, and by three minutes of five of 10 throttles', () => {
    const [consumed, ...others] = alarmsOf(provisioned);
    const always = {
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 5,
      TreatMissingData: 'notBreaching',
    };
    expect(consumed).toMatchObject({ ...always, DatapointsToAlarm: 5 });
    expect(others.at(-1)).toMatchObject({ ...always, Threshold: 10, DatapointsToAlarm: 3 });
  });

  it('are tuned, and left out, by their names', () => {
    const alarms = { readThrottles: { threshold: 1, datapointsToAlarm: 1 }, writeThrottles: false } as const;
    const found = alarmsOf(TableCapacity.onDemand(), { alarms });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ MetricName: 'ReadThrottleEvents', Threshold: 1, DatapointsToAlarm: 1 });
  });

  it('are refused at synth by names that there are not', () => {
    const stack = unbundledStack();
    const alarms = { throttles: false } as never;
    new SagaTable(stack, 'Sagas', { capacityAlarms: { alarms } });
    expectViolation(
      stack,
      "[Test/Sagas] capacityAlarms.alarms.throttles: there is no such setting (did you mean 'readThrottles' or 'writeThrottles'?)",
    );
  });

  it('are on the table', () => {
    const stack = unbundledStack();
    const table = new OutboxTable(stack, 'Outbox', { capacityAlarms: true });
    const alarms = propertiesOfAlarms(stack);
    expect(table.capacityAlarms).toHaveLength(2);
    const ofTable = [{ Name: 'TableName', Value: expect.anything() }];
    expect(alarms.map(({ Dimensions }) => Dimensions)).toEqual([ofTable, ofTable]);
  });

  it('are sent to a topic', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { capacityAlarms: { topic: new Topic(stack, 'Alarms') } });
    const actions = propertiesOfAlarms(stack).map(({ AlarmActions }) => AlarmActions);
    const topic = [{ Ref: expect.stringMatching(/^Alarms/) }];
    expect(actions).toEqual([topic, topic]);
  });

  it('warn if they notify nobody, though there is a topic', () => {
    const stack = unbundledStack();
    const topics = { critical: new Topic(stack, 'Pager') };
    new SagaTable(stack, 'Sagas', { capacityAlarms: { topics } });
    Annotations.fromStack(stack).hasWarning(
      '/Test/Sagas',
      Match.stringLikeRegexp('^topics: there is none for warning alarms, which notify nobody'),
    );
  });
});
