/** Entry of a thread: checks the histories of each run that it is sent, and posts what they come to. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { ThreadRun } from './check-in-threads.ts';

const sources = join(import.meta.dirname, 'check-histories.ts');

parentPort?.on('message', async ({ module = sources, ...options }: ThreadRun) => {
  const { checkHistories }: typeof import('./check-histories.ts') = await import(pathToFileURL(module).href);
  parentPort?.postMessage(await checkHistories(options));
});
