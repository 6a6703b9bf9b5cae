import type { PlannedStep } from '../message-shape.ts';
import { type MeasuredStep, type MeasuredStepName, stepOrder } from './call-steps.ts';
import type { Units } from './recorded-call.ts';

export interface StepFigures extends Units {
  readonly calls: number;
  /** Items read or written, or messages sent. */
  readonly items: number;
}

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

const noFigures: StepFigures = { calls: 0, items: 0, rcu: 0, wcu: 0 };

type Planned = Omit<PlannedStep, 'table'>;
type NamedStep = StepFigures & Pick<MeasuredStep, 'names' | 'operation'> & { readonly refusedWcu?: number };

/** Predicted beside measured; in the order of the plan, what it does not know behind. */
export function compareSteps(planned: readonly Planned[], measured: readonly MeasuredStep[]): ComparedStep[] {
  const steps: readonly (NamedStep & { readonly isPlanned: boolean })[] = [
    ...planned.map((step) => ({ ...step, names: [step.step], isPlanned: true })),
    ...measured.map((step) => ({ ...step, isPlanned: false })),
  ];
  return [...Map.groupBy(steps, rowOf).values()].map((row) => {
    const predicted = sumOfFigures(row.filter(({ isPlanned }) => isPlanned));
    const own = row.filter(({ isPlanned }) => !isPlanned);
    const step = nameOf(row);
    const [{ operation } = { operation: '' }] = row;
    return {
      step,
      operation,
      predicted,
      measured: sumOfFigures(own),
      refusedWcu: own.reduce((sum, { refusedWcu = 0 }) => sum + refusedWcu, 0),
      // Calls that no plan tells of are no difference.
      isEqual: step === 'other' || isSame(predicted, sumOfFigures(own)),
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
      refusedWcu: steps.reduce((sum, { refusedWcu }) => sum + refusedWcu, 0),
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

/** Up to what is lost in sums of fractions. */
function isSame(one: StepFigures, other: StepFigures): boolean {
  const figures = ['calls', 'items', 'rcu', 'wcu'] as const;
  return figures.every((figure) => Math.abs(one[figure] - other[figure]) < 1e-9);
}
