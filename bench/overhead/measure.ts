import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchRun } from '../benchmark/bench-run.ts';
import type { OverheadFigures } from '../benchmark/benchmark-figures.ts';

const worker = join(import.meta.dirname, 'worker.ts');

/**
 * Time and allocations of one invocation on clients that answer at once: the medians, which hide what
 * collecting the garbage takes, and beside them the means, which hold it.
 *
 * The sagabox of the comparison is for what Powertools is for: deduplication and a handler.
 * `sagaboxSagaMicros` is what the whole takes, with a saga loaded and written and one message sent for each
 * record; nothing at Powertools' stands beside it.
 */
export async function measureOverhead({ depth, signal, progress }: BenchRun): Promise<OverheadFigures> {
  progress('overhead: 1 and 10 records on clients that answer at once');
  const options = ['--conditions=sagabox-source', worker, depth];
  const { stdout } = await promisify(execFile)(process.execPath, options, { signal });
  return JSON.parse(stdout);
}
