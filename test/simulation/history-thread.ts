/** Entry of a thread: checks the histories of one run after another, and posts what each comes to. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadRun } from './check-in-thread.ts';

const sources = join(import.meta.dirname, 'check-histories.ts');

for (const [name, { module = sources, ...options }] of workerData as [string, ThreadRun][]) {
  const { checkHistories }: typeof import('./check-histories.ts') = await import(pathToFileURL(module).href);
  parentPort?.postMessage([name, await checkHistories(options)]);
}
