import { sum } from '../steps.ts';
import {
  type ComparedStep,
  differingFigures,
  figureHeadings,
  type StepFigures,
  sumOfFigures,
} from './comparison.ts';

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
    refusedWcu: sum(planned, ({ refusedWcu }) => refusedWcu),
    isEqual: differing.length === 0,
    differences: differing.map(describe),
    doubts: [...new Set(doubts)],
  };
}

function describe({ step, operation, predicted, measured }: ComparedStep): string {
  const told = differingFigures(predicted, measured).map(
    (figure) => `${measured[figure]} ${figureHeadings[figure]} in place of ${predicted[figure]}`,
  );
  return `${step} (${operation}): ${told.length === 0 ? 'the same in sum only' : told.join(', ')}`;
}
