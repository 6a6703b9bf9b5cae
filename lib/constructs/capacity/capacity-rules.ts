import type { WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import { isKnown } from '../is-known.ts';
import { wholeUnits } from './autoscaled-capacity.ts';
import { type DeclaredCapacity, maxCapacity } from './declared-capacity.ts';
import type { TablePeak } from './scheduled-peak.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

/** What the rules judge. */
export interface CapacityFacts {
  readonly capacity: DeclaredCapacity;
  readonly plan: TableWorkloadPlan | undefined;
  readonly warmThroughput: WarmThroughput | undefined;
}

/** @returns cause and remedy of each violation */
type CapacityRule = (facts: CapacityFacts) => readonly string[];

const sides = [
  { side: 'read', units: 'rcu', warm: 'readUnitsPerSecond', onDemand: 'maxReadRequestUnits' },
  { side: 'write', units: 'wcu', warm: 'writeUnitsPerSecond', onDemand: 'maxWriteRequestUnits' },
] as const;

/** What each on-demand table takes at once: source "Understanding DynamoDB warm throughput". */
const warmOnDemand = { read: 12_000, write: 4_000 } as const;

export const capacityRules: readonly CapacityRule[] = [
  function maximaCarryThePlannedPeak({ capacity, plan }) {
    if (plan === undefined) return [];
    const maxima = maxCapacity(capacity);
    return sides.flatMap(({ side, units, onDemand }) => {
      const setting = capacity.mode === 'onDemand' ? onDemand : `${side}.maxCapacity`;
      return tooLittle(`capacity.${setting}`, maxima[side], plan.peak[units]);
    });
  },

  function scheduledPeaksCarryThePlannedPeak({ capacity, plan }) {
    if (plan === undefined) return [];
    return sides.flatMap(({ side, units }) =>
      peaksOf(capacity).flatMap(({ name, [side]: ofPeak }) =>
        tooLittle(`scheduledPeaks: ${side}.maxCapacity of '${name}'`, ofPeak?.maxCapacity, plan.peak[units]),
      ),
    );
  },

  function scheduledPeaksHaveUniqueNames({ capacity }) {
    const names = peaksOf(capacity).map(({ name }) => name);
    const repeated = new Set(names.filter((name, index) => names.indexOf(name) < index));
    return [...repeated].map(
      (name) => `scheduledPeaks: several are called '${name}'. Give each a name of its own.`,
    );
  },

  function scheduledPeaksHaveTimes({ capacity }) {
    return peaksOf(capacity).flatMap(({ name, start, end }) => {
      const [first, last] = [start.expressionString, end.expressionString];
      const setting = `scheduledPeaks: '${name}'`;
      if (first.startsWith('rate(') || last.startsWith('rate('))
        return [`${setting} is at a rate, which has no time of day. Use Schedule.cron or Schedule.at.`];
      return first === last ? [`${setting} ends when it starts, ${first}. Use an end after the start.`] : [];
    });
  },

  function warmThroughputIsAnIncrease({ capacity, warmThroughput = {} }) {
    return sides.flatMap(({ side, warm }) => {
      const units = warmThroughput[warm];
      if (units === undefined || !isKnown(units)) return [];
      const minimum = capacity.mode === 'onDemand' ? warmOnDemand[side] : capacity[side].minCapacity;
      if (Number.isSafeInteger(units) && units >= 1 && (!isKnown(minimum) || units >= minimum)) return [];
      return [
        `warmThroughput.${warm}: ${units} is no whole number of at least the ${minimum} that the table takes at once ` +
          'anyway. Leave it out, or use more.',
      ];
    });
  },
];

/** Cause and remedy of everything that is wrong, all at once. */
export function capacityViolations(facts: CapacityFacts): string[] {
  return capacityRules.flatMap((rule) => rule(facts));
}

function peaksOf(capacity: DeclaredCapacity): readonly TablePeak[] {
  return capacity.mode === 'onDemand' ? [] : capacity.peaks;
}

function tooLittle(setting: string, maximum: number | undefined, peakUnits: number): string[] {
  const required = wholeUnits(peakUnits);
  if (maximum === undefined || !isKnown(maximum) || maximum >= required) return [];
  return [
    `${setting}: ${maximum} is less than the ${required} that the workload takes at its peak, so that it would be ` +
      `throttled. Use at least ${required}.`,
  ];
}
