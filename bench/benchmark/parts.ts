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
  cost: async (run) => ({ cost: await (await import('../cost/measure-cost.ts')).measureCost(run) }),
  overhead: async (run) => ({
    overhead: await (await import('../overhead/measure.ts')).measureOverhead(run),
  }),
  bundle: async (run) => ({ bundle: await (await import('../bundle/measure.ts')).measureBundle(run) }),
  coldLoad: async (run) => ({
    coldLoadMs: await (await import('../bundle/cold-load.ts')).measureColdLoad(run),
  }),
  throughput: async (run) => ({
    throughput: await (await import('../throughput/measure.ts')).measureThroughput(run),
  }),
  contention: async (run) => ({
    contention: await (await import('../contention/measure.ts')).measureContention(run),
  }),
  growth: async (run) => ({ growth: await (await import('../growth/measure.ts')).measureGrowth(run) }),
};
