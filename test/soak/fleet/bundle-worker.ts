import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { mutate } from '../../simulation/mutated-build.ts';
import type { Mutation } from '../../simulation/mutations.ts';
import { repository } from '../../support/source-files.ts';

/** Loaded only by endpoints that use them. */
const unused = ['sns', 'eventbridge', 'scheduler', 's3'].map((name) => `@aws-sdk/client-${name}`);

export interface WorkerBundle {
  readonly folder: string;
  readonly file: string;
  readonly remove: () => Promise<void>;
}

/**
 * In one file, so that a worker that replaces a killed one starts fast.
 *
 * @param mutation a fault put into the package's own sources
 */
export async function bundleWorker(mutation?: Mutation): Promise<WorkerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'sagabox-soak-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, 'worker.mjs');
  try {
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
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, file, remove };
}

function mutating(mutation: Mutation): Plugin {
  const mutated = join(repository, mutation.file);
  return {
    name: 'mutation',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path !== mutated) return undefined;
        return { contents: mutate(await readFile(path, 'utf8'), mutation), loader: 'ts' };
      });
    },
  };
}
