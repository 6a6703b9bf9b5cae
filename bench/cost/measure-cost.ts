import type { BenchRun } from '../benchmark/bench-run.ts';
import { compareOnEngines, costFigures } from './compare.ts';
import type { CostFigures } from './figures.ts';
import { doubtsOf } from './summary.ts';

const samples = {
  short: { seed: 1, messages: 2, batches: 1 },
  full: { seed: 1, messages: 20, batches: 5 },
} as const;

/**
 * @throws Error when messages were lost, were others than those that were to be measured, or took the
 * itemized layout what its formula does not give
 */
export async function measureCost({ depth, signal, progress }: BenchRun): Promise<CostFigures> {
  const comparison = await compareOnEngines(samples[depth], signal, (contender, next) =>
    progress(`cost: ${contender}, ${next}`),
  );
  const doubts = doubtsOf(comparison);
  if (doubts.length > 0) throw new Error(`The figures are worth nothing: ${doubts.join('; ')}`);
  return costFigures(comparison);
}
