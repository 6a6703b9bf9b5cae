import { type ComparedStep, type StepFigures, sumOfFigures } from './comparison.ts';

/** What was planned beside what was measured. */
export interface CapacityReport {
  /** Of so many the figures below are sums. */
  readonly messages: number;
  readonly steps: readonly ComparedStep[];
  /** The sums; without the calls that the handler makes by itself. */
  readonly predicted: StepFigures;
  readonly measured: StepFigures;
  /** Write units of refused calls, by the rules: engines report none. The figures above have none. */
  readonly refusedWcu: number;
  /** Whether every step is as predicted. */
  readonly isEqual: boolean;
  /** The steps that are not, in words. */
  readonly differences: readonly string[];
  /** Why the measured units may not be trusted. */
  readonly doubts: readonly string[];
}

export function capacityReport(
  steps: readonly ComparedStep[],
  doubts: readonly string[],
  messages: number,
): CapacityReport {
  const planned = steps.filter(({ step }) => step !== 'other');
  const differing = steps.filter(({ isEqual }) => !isEqual);
  return {
    messages,
    steps,
    predicted: sumOfFigures(planned.map(({ predicted }) => predicted)),
    measured: sumOfFigures(planned.map(({ measured }) => measured)),
    refusedWcu: planned.reduce((sum, { refusedWcu }) => sum + refusedWcu, 0),
    isEqual: differing.length === 0,
    differences: differing.map(describe),
    doubts: [...new Set(doubts)],
  };
}

function describe({ step, operation, predicted, measured }: ComparedStep): string {
  const figures = (['calls', 'items', 'rcu', 'wcu'] as const).filter(
    (figure) => Math.abs(predicted[figure] - measured[figure]) >= 1e-9,
  );
  const told = figures.map(
    (figure) => `${measured[figure]} ${names[figure]} in place of ${predicted[figure]}`,
  );
  return `${step} (${operation}): ${told.length === 0 ? 'the same in sum only' : told.join(', ')}`;
}

const names = { calls: 'calls', items: 'items', rcu: 'RCU', wcu: 'WCU' } as const;
