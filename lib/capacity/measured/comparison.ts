import type { PlannedStep } from '../message-shape.ts';
import type { MeasuredStep, MeasuredStepName } from './call-steps.ts';
import type { UnitSource, Units } from './recorded-call.ts';

export interface StepFigures extends Units {
  readonly calls: number;
  /** Items read or written, or messages sent. */
  readonly items: number;
}

/** What the plan says of one step, beside what was measured. */
export interface ComparedStep {
  /** `other`: calls of the handler itself, of which no plan tells. */
  readonly step: MeasuredStepName;
  /** The operation of the service. */
  readonly operation: string;
  readonly predicted: StepFigures;
  readonly measured: StepFigures;
  /** Where the measured units come from. */
  readonly source: UnitSource | 'reported and computed';
  readonly isEqual: boolean;
}

export const noFigures: StepFigures = { calls: 0, items: 0, rcu: 0, wcu: 0 };

/** Predicted beside measured; in the order of the plan, what it does not know behind. */
export function compareSteps(
  planned: readonly Omit<PlannedStep, 'table'>[],
  measured: readonly MeasuredStep[],
): ComparedStep[] {
  const rows = Map.groupBy([...planned, ...measured], ({ step, operation }) => `${step}, ${operation}`);
  return [...rows.values()].flatMap((steps) => {
    const [first] = steps;
    if (first === undefined) return [];
    const ofRow = ({ step, operation }: Pick<MeasuredStep, 'step' | 'operation'>) =>
      step === first.step && operation === first.operation;
    const own = measured.filter(ofRow);
    const { step, operation } = first;
    return comparedStep(
      { step, operation },
      sumOfFigures(planned.filter(ofRow)),
      sumOfFigures(own),
      sourceOf(own),
    );
  });
}

/** Calls that no plan tells of are no difference. */
function comparedStep(
  { step, operation }: Pick<ComparedStep, 'step' | 'operation'>,
  predicted: StepFigures,
  measured: StepFigures,
  source: ComparedStep['source'],
): ComparedStep {
  const isEqual = step === 'other' || isSame(predicted, measured);
  return { step, operation, predicted, measured, source, isEqual };
}

/** Of several messages: a step is equal when it is for each of them, not on average. */
export function sumOfComparisons(all: readonly (readonly ComparedStep[])[]): ComparedStep[] {
  const rows = Map.groupBy(all.flat(), ({ step, operation }) => `${step}, ${operation}`);
  return [...rows.values()].flatMap((steps) => {
    const [first] = steps;
    if (first === undefined) return [];
    return {
      ...first,
      predicted: sumOfFigures(steps.map(({ predicted }) => predicted)),
      measured: sumOfFigures(steps.map(({ measured }) => measured)),
      source: sourceOf(steps),
      isEqual: steps.every(({ isEqual }) => isEqual),
    };
  });
}

export function sumOfFigures(all: readonly StepFigures[]): StepFigures {
  return all.reduce(
    (sum, { calls, items, rcu, wcu }) => ({
      calls: sum.calls + calls,
      items: sum.items + items,
      rcu: sum.rcu + rcu,
      wcu: sum.wcu + wcu,
    }),
    noFigures,
  );
}

function sourceOf(steps: readonly Pick<ComparedStep, 'source'>[]): ComparedStep['source'] {
  const sources = new Set(steps.map(({ source }) => source).filter((source) => source !== 'none'));
  if (sources.size > 1) return 'reported and computed';
  return [...sources][0] ?? 'none';
}

/** Up to what is lost in sums of fractions. */
function isSame(one: StepFigures, other: StepFigures): boolean {
  const figures = ['calls', 'items', 'rcu', 'wcu'] as const;
  return figures.every((figure) => Math.abs(one[figure] - other[figure]) < 1e-9);
}
