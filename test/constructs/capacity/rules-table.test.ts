import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { type CapacityFacts, capacityRules } from '../../../lib/constructs/capacity/capacity-rules.ts';
import type { DeclaredCapacity } from '../../../lib/constructs/capacity/declared-capacity.ts';
import type { TablePeak } from '../../../lib/constructs/capacity/scheduled-peak.ts';
import { planTable } from '../../../lib/constructs/capacity/table-plan.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';

const message = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };
const workloads = [{ message, messagesPerSecond: 70, peakMessagesPerSecond: 140 }];
const plan = planTable(workloads, 'outbox');
const peakUnits = { read: Math.ceil(plan?.peak.rcu ?? 0), write: Math.ceil(plan?.peak.wcu ?? 0) };

const units = (maxCapacity: number) => ({ minCapacity: 10, maxCapacity, targetUtilizationPercent: 70 });
const peak: TablePeak = {
  name: 'Sale',
  start: Schedule.cron({ hour: '8' }),
  end: Schedule.cron({ hour: '20' }),
  read: { minCapacity: 1, maxCapacity: peakUnits.read },
  write: { minCapacity: 1, maxCapacity: peakUnits.write },
};
type Provisioned = Extract<DeclaredCapacity, { readonly mode: 'provisioned' }>;
const provisioned: Provisioned = {
  mode: 'provisioned',
  read: units(peakUnits.read),
  write: units(peakUnits.write),
  peaks: [peak],
};
const onDemand = (write: number): DeclaredCapacity => ({
  mode: 'onDemand',
  workloads: [],
  maxWriteRequestUnits: write,
});

/** All of them at their boundaries. */
const facts: CapacityFacts = {
  capacity: provisioned,
  plan,
  warmThroughput: { readUnitsPerSecond: 10, writeUnitsPerSecond: 10 },
};
const withPeaks = (...peaks: TablePeak[]) => ({ capacity: { ...provisioned, peaks } });
const onDemandWarm = (readUnitsPerSecond: number, writeUnitsPerSecond: number) => ({
  capacity: onDemand(peakUnits.write),
  warmThroughput: { readUnitsPerSecond, writeUnitsPerSecond },
});

/** By rule: what is sound at another boundary, and what is wrong by the least that can be. */
const cases: Record<string, RuleCases<CapacityFacts>> = {
  maximaCarryThePlannedPeak: {
    sound: [{ capacity: onDemand(peakUnits.write), warmThroughput: {} }],
    wrong: [
      { capacity: onDemand(peakUnits.write - 1), warmThroughput: {} },
      { capacity: { ...provisioned, read: units(peakUnits.read - 1) } },
      { capacity: { ...provisioned, write: units(peakUnits.write - 1) } },
    ],
  },
  scheduledPeaksCarryThePlannedPeak: {
    sound: [withPeaks({ ...peak, read: undefined })],
    wrong: [withPeaks({ ...peak, write: { minCapacity: 1, maxCapacity: peakUnits.write - 1 } })],
  },
  scheduledPeaksHaveUniqueNames: {
    sound: [withPeaks(peak, { ...peak, name: 'Launch' })],
    wrong: [withPeaks(peak, peak)],
  },
  scheduledPeaksHaveTimes: {
    sound: [withPeaks({ ...peak, end: Schedule.cron({ hour: '8', minute: '1' }) })],
    wrong: [
      withPeaks({ ...peak, end: peak.start }),
      withPeaks({ ...peak, start: Schedule.expression('rate(1 day)') }),
    ],
  },
  warmThroughputIsAnIncrease: {
    sound: [onDemandWarm(12_000, 4_000), { warmThroughput: undefined }],
    wrong: [
      { warmThroughput: { readUnitsPerSecond: 9 } },
      { warmThroughput: { writeUnitsPerSecond: 10.5 } },
      onDemandWarm(11_999, 4_000),
      onDemandWarm(12_000, 3_999),
    ],
  },
};

describeRules('the rules of the capacity of a table', capacityRules, facts, cases);
