import type { BenchRun } from '../bench-run.ts';
import { compareOnEngines, costFigures } from './compare.ts';
import type { CostFigures } from './figures.ts';

const samples = {
  short: { seed: 1, messages: 2, batches: 1 },
  full: { seed: 1, messages: 20, batches: 5 },
} as const;

/** @throws Error when messages were lost, or others than those that were to be measured */
export async function measureCost({ depth, signal, progress }: BenchRun): Promise<CostFigures> {
  const comparison = await compareOnEngines(samples[depth], signal, (contender, next) =>
    progress(`cost: ${contender}, ${next}`),
  );
  const doubts = [...comparison.sagabox.doubts, ...comparison.itemized.doubts];
  if (doubts.length > 0) throw new Error(`The figures are worth nothing: ${doubts.join('; ')}`);
  return costFigures(comparison);
}
