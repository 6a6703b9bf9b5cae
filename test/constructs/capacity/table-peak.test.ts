import { describe, expect, it } from '@jest/globals';
import { TimeZone } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { OutboxTable, SagaTable, TableCapacity } from 'sagabox/constructs';
import type {
  ScheduledPeak,
  ScheduledWorkloadPeak,
} from '../../../lib/constructs/capacity/scheduled-peak.ts';
import { expectViolation, scheduledActions, unbundledStack } from '../support.ts';

const start = Schedule.cron({ hour: '7', minute: '45' });
const end = Schedule.cron({ hour: '20', minute: '0' });
const [startText, endText] = [start.expressionString, end.expressionString];
const read = { minCapacity: 10, maxCapacity: 100 };
const write = { minCapacity: 20, maxCapacity: 200 };
const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const orders = { message, messagesPerSecond: 70, peakMessagesPerSecond: 140 };

function actionsOf(scheduledPeaks: readonly ScheduledPeak[]) {
  const stack = unbundledStack();
  new OutboxTable(stack, 'Outbox', {
    capacity: TableCapacity.provisioned({ read, write, scheduledPeaks }),
  });
  return scheduledActions(stack);
}

function actionsForWorkload(scheduledPeaks: readonly ScheduledWorkloadPeak[]) {
  const stack = unbundledStack();
  new SagaTable(stack, 'Sagas', { capacity: TableCapacity.forWorkload(orders, { scheduledPeaks }) });
  return scheduledActions(stack);
}

describe('a scheduled peak', () => {
  it('raises what it names, up to the usual maximum, and sets it back at its end', () => {
    expect(actionsOf([{ start, end, write: { minCapacity: 80 } }])).toEqual({
      'table:ReadCapacityUnits': [],
      'table:WriteCapacityUnits': [
        { name: 'Peak1Start', schedule: startText, limits: [80, 200] },
        { name: 'Peak1End', schedule: endText, limits: [20, 200] },
      ],
    });
  });

  it('may go beyond the usual maximum, by itself or by its own one', () => {
    const actions = actionsOf([
      { name: 'Sale', start, end, read: { minCapacity: 101 }, write: { minCapacity: 80, maxCapacity: 900 } },
    ]);
    expect(actions['table:ReadCapacityUnits']?.[0]).toEqual({
      name: 'SaleStart',
      schedule: startText,
      limits: [101, 101],
    });
    expect(actions['table:WriteCapacityUnits']?.[0]).toMatchObject({ limits: [80, 900] });
    expect(actions['table:WriteCapacityUnits']?.[1]).toMatchObject({ name: 'SaleEnd', limits: [20, 200] });
  });

  it('is in its time zone', () => {
    const actions = actionsOf([{ start, end, timeZone: TimeZone.EUROPE_BERLIN, read: { minCapacity: 50 } }]);
    expect(actions['table:ReadCapacityUnits']).toEqual([
      { name: 'Peak1Start', schedule: startText, limits: [50, 100], timezone: 'Europe/Berlin' },
      { name: 'Peak1End', schedule: endText, limits: [10, 100], timezone: 'Europe/Berlin' },
    ]);
  });

  it('of a workload has the capacity of the planned peak', () => {
    expect(actionsForWorkload([{ start, end }])).toEqual({
      'table:ReadCapacityUnits': [
        { name: 'Peak1Start', schedule: startText, limits: [200, 300] },
        { name: 'Peak1End', schedule: endText, limits: [100, 300] },
      ],
      'table:WriteCapacityUnits': [
        { name: 'Peak1Start', schedule: startText, limits: [400, 600] },
        { name: 'Peak1End', schedule: endText, limits: [200, 600] },
      ],
    });
  });

  it('of a workload may have units of its own', () => {
    const actions = actionsForWorkload([{ start, end, write: { minCapacity: 500 } }]);
    expect(actions['table:ReadCapacityUnits']?.[0]?.limits).toEqual([200, 300]);
    expect(actions['table:WriteCapacityUnits']?.[0]?.limits).toEqual([500, 600]);
  });

  it.each([
    [{ minCapacity: 1 }, 'nothing'],
    [{ minCapacity: 0 }, 'minCapacity'],
    [{ minCapacity: 5, maxCapacity: 5 }, 'nothing'],
    [{ minCapacity: 5, maxCapacity: 4 }, 'maxCapacity'],
  ])('of %j units is refused for: %s', (units, report) => {
    const field = report === 'nothing' ? undefined : report;
    for (const side of ['read', 'write']) {
      const scheduledPeaks = [{ start, end, [side]: units }] as unknown as ScheduledPeak[];
      const stack = unbundledStack();
      new SagaTable(stack, 'Sagas', { capacity: TableCapacity.provisioned({ read, write, scheduledPeaks }) });
      expectViolation(stack, field === undefined ? '' : `capacity.scheduledPeaks[0].${side}.${field}: `);
    }
  });

  it.each<[string, readonly ScheduledPeak[], string | undefined]>([
    [
      'two names',
      [
        { start, end, read },
        { name: 'Peak3', start, end, read },
      ],
      undefined,
    ],
    [
      'one name twice',
      [
        { start, end, read },
        { name: 'Peak1', start, end, read },
      ],
      "several are called 'Peak1'",
    ],
    ['a rate', [{ start: Schedule.expression('rate(1 hour)'), end, read }], 'has no time of day'],
    ['a rate at the end', [{ start, end: Schedule.expression('rate(1 hour)'), read }], 'has no time of day'],
    ['one time', [{ start, end: start, read }], 'ends when it starts'],
    ['two times', [{ start: end, end: start, read }], undefined],
  ])('with %s is refused at synth for: %s', (_name, scheduledPeaks, text) => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas', { capacity: TableCapacity.provisioned({ read, write, scheduledPeaks }) });
    if (text === undefined) expect(() => Template.fromStack(stack)).not.toThrow();
    else expect(() => Template.fromStack(stack)).toThrow(text);
  });
});
