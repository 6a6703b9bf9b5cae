import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figures } from '../benchmark/figures.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';

/** Time and allocations of one invocation on clients that answer at once. */
export async function measureOverhead({ depth, signal, progress }: BenchRun): Promise<Figures['overhead']> {
  progress('Overhead: 1 and 10 records on clients that answer at once');
  const options = ['--conditions=sagabox-source', join(import.meta.dirname, 'worker.ts'), depth];
  const { stdout } = await promisify(execFile)(process.execPath, options, { signal });
  return JSON.parse(stdout);
}
