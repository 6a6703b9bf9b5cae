import type { MachineControl } from '../control/machine-control.ts';
import type { Figures, PartName } from './figures.ts';
import { type BenchmarkRecord, checkedRecord } from './record.ts';

/** What every part of `npm run bench` is given. */
export interface BenchRun {
  /** `short` is what CI has time for: fewer rounds and smaller tables, for the same figures. */
  readonly depth: BenchmarkRecord['depth'];
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** Tells whether the machine is busy meanwhile. */
  readonly control?: MachineControl;
}

type Parts = { readonly [Part in PartName]: (run: BenchRun) => Promise<Figures[Part]> };

/** Each is loaded when it is measured, so that it does not disturb the others. */
const parts: Parts = {
  cost: async (run) => (await import('../cost/compare.ts')).measureCost(run),
  overhead: async (run) => (await import('../overhead/measure.ts')).measureOverhead(run),
  sessions: async (run) => (await import('../sessions/measure.ts')).measureSessions(run),
  bundle: async (run) => (await import('../bundle/bundle.ts')).measureBundle(run),
  coldLoad: async (run) => (await import('../bundle/cold-load.ts')).measureColdLoad(run),
  throughput: async (run) => (await import('../throughput/measure.ts')).measureThroughput(run),
  contention: async (run) => (await import('../contention/measure.ts')).measureContention(run),
  growth: async (run) => (await import('../growth/measure.ts')).measureGrowth(run),
};
export const partNames = Object.keys(parts) as PartName[];

/**
 * Measures parts one after another, never two at once: they would slow each other down.
 *
 * @param onMeasured called after each part with all that has been measured: a part that fails takes nothing
 * from those before it
 */
export async function measureParts(
  names: readonly PartName[],
  run: BenchRun,
  conditions: Pick<BenchmarkRecord, 'date' | 'machine' | 'versions'>,
  onMeasured: (record: BenchmarkRecord) => Promise<void>,
  measurements: Parts = parts,
): Promise<BenchmarkRecord> {
  let record: BenchmarkRecord = { ...conditions, depth: run.depth, figures: {} };
  for (const name of names) {
    run.signal.throwIfAborted();
    run.progress(`Measuring ${name} ...`);
    const measure = () => measurements[name](run);
    const measured = await (run.control ? run.control.during<unknown>(name, measure) : measure());
    const figures = { ...record.figures, [name]: measured };
    record = checkedRecord({ ...record, figures }, `The measurement of ${name}`);
    await onMeasured(record);
  }
  return record;
}
