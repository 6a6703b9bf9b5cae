import type { BenchmarkFigures } from '../benchmark/benchmark-figures.ts';
import type { Section } from './section.ts';
import { bundleSection } from './sections/bundle.ts';
import { coldLoadSection } from './sections/cold-load.ts';
import { contentionSection } from './sections/contention.ts';
import { costSection } from './sections/cost.ts';
import { growthSection } from './sections/growth.ts';
import { overheadSection } from './sections/overhead.ts';
import { throughputSection } from './sections/throughput.ts';

/** Of the parts that were measured. */
export function sectionsOf(figures: Partial<BenchmarkFigures>): Section[] {
  const { cost, overhead, bundle, coldLoadMs, throughput, contention, growth } = figures;
  return [
    cost && costSection(cost),
    overhead && overheadSection(overhead),
    bundle && bundleSection(bundle),
    coldLoadMs && coldLoadSection(coldLoadMs),
    throughput && throughputSection(throughput),
    contention && contentionSection(contention),
    growth && growthSection(growth),
  ].filter((section) => section !== undefined);
}
