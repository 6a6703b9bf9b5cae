import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..', '..', '..');
/** Loaded only by endpoints that use them. */
const unused = ['sns', 'eventbridge', 'scheduler', 's3'].map((name) => `--external:@aws-sdk/client-${name}`);

export interface WorkerBundle {
  readonly folder: string;
  readonly file: string;
  readonly remove: () => Promise<void>;
}

/** In one file, so that a worker that replaces a killed one starts fast. */
export async function bundleWorker(): Promise<WorkerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'sagabox-soak-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, 'worker.mjs');
  try {
    await promisify(execFile)(join(repository, 'node_modules', '.bin', 'esbuild'), [
      join(import.meta.dirname, 'worker.ts'),
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--target=node22',
      '--conditions=sagabox-source',
      '--log-level=warning',
      `--outfile=${file}`,
      "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      ...unused,
    ]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, file, remove };
}
