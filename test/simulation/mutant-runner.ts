import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { CheckOptions, CheckResult } from './check-histories.ts';

export interface MutantRun {
  readonly module: string;
  readonly options: Pick<CheckOptions, 'seed' | 'runs' | 'modes'>;
}

export interface MutantResult {
  readonly module: string;
  readonly runs: number;
  readonly invariant: string | undefined;
  readonly message: string | undefined;
}

/** In a thread of its own: runs one build of the simulation after another, and tells what became of it. */
for (const { module, options } of workerData as MutantRun[]) {
  const { checkHistories } = await import(pathToFileURL(module).href);
  const { runs, failure }: CheckResult = await checkHistories({ ...options, shrinks: false });
  const result: MutantResult = { module, runs, invariant: failure?.invariant, message: failure?.message };
  parentPort?.postMessage(result);
}
