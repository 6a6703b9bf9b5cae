import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const lockFileNames = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'package-lock.json'];

/**
 * The lock file of the project that the entry belongs to. CDK would look upwards from the working directory,
 * so that synth would depend on where it is called.
 */
export function nearestLockFile(entry: string): string | undefined {
  let directory = dirname(resolve(entry));
  for (;;) {
    const found = lockFileNames.map((name) => join(directory, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    const parent = dirname(directory);
    if (parent === directory) return undefined;
    directory = parent;
  }
}
