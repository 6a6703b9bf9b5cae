import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckOptions, CheckResult } from './check-histories.ts';

export interface ThreadRun extends Omit<CheckOptions, 'signal' | 'onProgress'> {
  /** Path of a build of `check-histories.ts`; by default the sources as they are. */
  readonly module?: string;
}

/**
 * Checks histories in threads, one for each processor. In the context that Jest gives to a test they take
 * half as long again.
 *
 * @returns the results, by the names of the runs
 */
export async function checkInThreads<Name extends string>(
  runs: Readonly<Record<Name, ThreadRun>>,
  signal?: AbortSignal,
): Promise<Record<Name, CheckResult>> {
  const results = {} as Record<Name, CheckResult>;
  const left = Object.entries(runs) as [Name, ThreadRun][];
  const threads = Math.min(availableParallelism(), left.length);
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const thread = new Worker(join(import.meta.dirname, 'history-thread.ts'));
      try {
        for (let next = left.shift(); next; next = left.shift()) {
          const [name, run] = next;
          thread.postMessage(run);
          [results[name]] = (await once(thread, 'message', { signal })) as [CheckResult];
        }
      } finally {
        // Where one fails, the others end too.
        left.length = 0;
        await thread.terminate();
      }
    }),
  );
  return results;
}
