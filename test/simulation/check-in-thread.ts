import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckOptions, CheckResult } from './check-histories.ts';

export interface ThreadRun extends Omit<CheckOptions, 'signal' | 'onProgress'> {
  /** Path of a build of `check-histories.ts`; by default the sources as they are. */
  readonly module?: string;
}

/**
 * Checks histories in a thread, one run after another. In the context that Jest gives to a test they take
 * half as long again.
 *
 * @returns the results, by the names of the runs
 */
export async function checkInThread<Name extends string>(
  runs: Readonly<Record<Name, ThreadRun>>,
  signal?: AbortSignal,
): Promise<Record<Name, CheckResult>> {
  const results = {} as Record<Name, CheckResult>;
  const workerData: [string, ThreadRun][] = Object.entries(runs);
  const thread = new Worker(join(import.meta.dirname, 'history-thread.ts'), { workerData });
  thread.on('message', ([name, result]: [Name, CheckResult]) => {
    results[name] = result;
  });
  try {
    await once(thread, 'exit', { signal });
  } finally {
    await thread.terminate();
  }
  return results;
}
