import { join } from 'node:path';
import { build } from 'esbuild';
import { mutating } from '../../simulation/mutated-build.ts';
import type { Mutation } from '../../simulation/mutation.ts';
import { withFolder } from '../../support/with-folder.ts';

/** Loaded only by endpoints that use them. */
const unused = ['sns', 'eventbridge', 'scheduler', 's3'].map((name) => `@aws-sdk/client-${name}`);

export interface WorkerBundle {
  readonly folder: string;
  readonly file: string;
}

/**
 * The worker in one file, so that one that replaces a killed one starts fast. Gone when the work is over.
 *
 * @param mutation a fault put into the repository's own sources
 */
export async function withWorkerBundle<T>(
  mutation: Mutation | undefined,
  work: (bundle: WorkerBundle) => Promise<T>,
): Promise<T> {
  return await withFolder('sagabox-soak-', async (folder) => {
    const file = join(folder, 'worker.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'worker.ts')],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      conditions: ['sagabox-source'],
      logLevel: 'silent',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      external: unused,
      plugins: mutation === undefined ? [] : [mutating(mutation)],
    });
    return await work({ folder, file });
  });
}
