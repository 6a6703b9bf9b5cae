import type { PlannedStep } from '../message-shape.ts';
import { sum } from '../steps.ts';
import { type MeasuredStep, type MeasuredStepName, stepOrder } from './call-steps.ts';

/** What is counted of a step, in the order of reports. */
export const figureNames = ['calls', 'items', 'rcu', 'wcu'] as const;
export const figureHeadings = { calls: 'calls', items: 'items', rcu: 'RCU', wcu: 'WCU' } as const;

/** Items are read or written; those of a dispatch are messages sent. */
export type StepFigures = Readonly<Record<(typeof figureNames)[number], number>>;

/** What the plan says of one step, or of several that share their calls, beside what was measured. */
export interface ComparedStep {
  /** For example `commit`, or `dedup check, load`. `other`: calls of the handler itself. */
  readonly step: string;
  /** The operation of the service. */
  readonly operation: string;
  readonly predicted: StepFigures;
  readonly measured: StepFigures;
  /** Write units of calls that were refused: no engine reports them. */
  readonly refusedWcu: number;
  readonly isEqual: boolean;
}

type Planned = Omit<PlannedStep, 'table'>;
type NamedStep = StepFigures & Pick<MeasuredStep, 'names' | 'operation'> & { readonly refusedWcu?: number };

/** Predicted beside measured; in the order of the plan, what it does not know behind. */
export function compareSteps(planned: readonly Planned[], measured: readonly MeasuredStep[]): ComparedStep[] {
  const steps: readonly (NamedStep & { readonly isPlanned: boolean })[] = [
    // Engines report no units of refused writes.
    ...planned.map((step) => {
      return { ...step, wcu: step.wcu - (step.refusedWcu ?? 0), names: [step.step], isPlanned: true };
    }),
    ...measured.map((step) => ({ ...step, isPlanned: false })),
  ];
  return [...Map.groupBy(steps, rowOf).values()].map((row) => {
    const predicted = sumOfFigures(row.filter(({ isPlanned }) => isPlanned));
    const own = row.filter(({ isPlanned }) => !isPlanned);
    const measured = sumOfFigures(own);
    const step = nameOf(row);
    const [{ operation } = { operation: '' }] = row;
    return {
      step,
      operation,
      predicted,
      measured,
      refusedWcu: sum(own, ({ refusedWcu = 0 }) => refusedWcu),
      // Calls that no plan tells of are no difference.
      isEqual: step === 'other' || differingFigures(predicted, measured).length === 0,
    };
  });
}

/** DynamoDB reports one sum for a batch: the steps that share it are compared together. */
function rowOf({ names, operation }: NamedStep): string {
  const isShared = operation.startsWith('Batch') && !names.includes('other');
  return isShared ? operation : `${names.join(', ')} ${operation}`;
}

function nameOf(row: readonly NamedStep[]): string {
  const names: readonly MeasuredStepName[] = row.flatMap((step) => step.names);
  return stepOrder.filter((name) => names.includes(name)).join(', ');
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
      refusedWcu: sum(steps, ({ refusedWcu }) => refusedWcu),
      isEqual: steps.every(({ isEqual }) => isEqual),
    };
  });
}

export function sumOfFigures(all: readonly StepFigures[]): StepFigures {
  const sums = figureNames.map((name) => [name, sum(all, ({ [name]: figure }) => figure)]);
  return Object.fromEntries(sums);
}

/** The figures that differ by more than what is lost in sums of fractions. */
export function differingFigures(one: StepFigures, other: StepFigures): (typeof figureNames)[number][] {
  return figureNames.filter((name) => Math.abs(one[name] - other[name]) >= 1e-9);
}
