import type { MessagePlan } from '../../capacity/index.ts';
import type { PlannedStep } from '../../capacity/message-shape.ts';

/** The steps that take units, in the order of the way of a message. Lease and load stand for each other. */
export const stepSeries = ['dedup check', 'load or lock', 'commit', 'mark', 'clear'] as const;

/** The units of a message by {@link stepSeries}. */
export function unitsBySeries({ steps }: MessagePlan, unit: 'rcu' | 'wcu'): number[] {
  return stepSeries.map((name) =>
    steps
      .filter((planned) => seriesOf(planned) === name)
      .reduce((total, planned) => total + planned[unit], 0),
  );
}

function seriesOf({ step }: PlannedStep): string {
  return step === 'load' || step === 'lock' || step === 'release' ? 'load or lock' : step;
}
