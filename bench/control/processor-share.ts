import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

const durationMs = 100;

/** What each thread does: it wants a processor for so many milliseconds, and tells the share of them that it had one. */
const spin = `
const { parentPort, workerData } = require('node:worker_threads');
const before = process.threadCpuUsage();
const startedAt = performance.now();
while (performance.now() - startedAt < workerData);
const { user, system } = process.threadCpuUsage(before);
parentPort.postMessage((user + system) / 1000 / (performance.now() - startedAt));
`;

/** The share of all processors that this process gets when it wants them: 1 if no other process uses any. */
export async function processorShare(): Promise<number> {
  const shares = await Promise.all(Array.from({ length: availableParallelism() }, shareOfOne));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

async function shareOfOne(): Promise<number> {
  const [share] = await once(new Worker(spin, { eval: true, workerData: durationMs }), 'message');
  return share;
}
