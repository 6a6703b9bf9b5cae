import type { BenchRun } from './bench-run.ts';
import { type PartName, parts } from './parts.ts';
import type { BenchmarkRecord } from './record.ts';
import { checkedRecord } from './record-file.ts';

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
  measurements: typeof parts = parts,
): Promise<BenchmarkRecord> {
  let record: BenchmarkRecord = { ...conditions, depth: run.depth };
  for (const name of names) {
    run.signal.throwIfAborted();
    run.progress(`Measuring ${name} ...`);
    record = checkedRecord({ ...record, ...(await measurements[name](run)) }, `The measurement of ${name}`);
    await onMeasured(record);
  }
  return record;
}
