import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Sample } from './worker-protocol.ts';

/** What one collection leaves to finalizers, the next one takes. */
const collections = 4;

export const openFiles = 'open files';

/** Needs `--expose-gc`. */
export async function takeSample(): Promise<Sample> {
  if (globalThis.gc === undefined) throw new Error('The memory is only measured with --expose-gc');
  for (let collection = 0; collection < collections; collection += 1) {
    await globalThis.gc({ execution: 'async', type: 'major' });
    await setImmediate();
  }
  const handles: Record<string, number> = {};
  for (const type of process.getActiveResourcesInfo()) handles[type] = (handles[type] ?? 0) + 1;
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // Idle connections do not keep a process alive, so that they are not among the handles.
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const bytes = { heapUsed, external, arrayBuffers };
  return { bytes, handles: { ...handles, [openFiles]: descriptors.length } };
}
