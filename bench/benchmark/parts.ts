import type { BenchRun } from './bench-run.ts';
import type { BenchmarkFigures } from './benchmark-figures.ts';

export const partNames = [
  'cost',
  'overhead',
  'bundle',
  'coldLoad',
  'throughput',
  'contention',
  'growth',
] as const;

export type PartName = (typeof partNames)[number];
type MeasurePart = (run: BenchRun) => Promise<Partial<BenchmarkFigures>>;

/** Each is loaded when it is measured: what the others need is not in its way. */
export const parts: Readonly<Record<PartName, MeasurePart>> = {
  async cost(run) {
    const { measureCost } = await import('../cost/measure-cost.ts');
    return { cost: await measureCost(run) };
  },
  async overhead(run) {
    const { measureOverhead } = await import('../overhead/measure.ts');
    return { overhead: await measureOverhead(run) };
  },
  async bundle(run) {
    const { measureBundle } = await import('../bundle/measure.ts');
    return { bundle: await measureBundle(run) };
  },
  async coldLoad(run) {
    const { measureColdLoad } = await import('../bundle/cold-load.ts');
    return { coldLoadMs: await measureColdLoad(run) };
  },
  async throughput(run) {
    const { measureThroughput } = await import('../throughput/measure.ts');
    return { throughput: await measureThroughput(run) };
  },
  async contention(run) {
    const { measureContention } = await import('../contention/measure.ts');
    return { contention: await measureContention(run) };
  },
  async growth(run) {
    const { measureGrowth } = await import('../growth/measure.ts');
    return { growth: await measureGrowth(run) };
  },
};
