import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 300;
/** Installed, or written by a build: a synth may write there. */
const notSources = ['node_modules', 'dist', 'build', 'coverage', 'cdk.out'];
/** What is written or generated besides, such as the output of this command in a file, has others. */
const sourceNames = /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|graphql|gql|sql|html|vtl|proto|wasm)$/;

/**
 * Yields when files below a directory have changed, and have stayed as they are for a moment. Looking is the
 * same on all platforms and file systems, and costs little without the folders of packages.
 *
 * @param output of the synth, which is no source
 */
export async function* sourceChanges(
  directory: string,
  output: string,
  signal: AbortSignal,
): AsyncGenerator<void> {
  let before = await sourceFingerprint(directory, output);
  let hasChanged = false;
  for (;;) {
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const now = await sourceFingerprint(directory, output);
    const isStill = now === before;
    if (isStill && hasChanged) yield;
    hasChanged = !isStill;
    before = now;
  }
}

/** Differs when a source was written, came or went. */
export async function sourceFingerprint(directory: string, output: string): Promise<string> {
  return (await fingerprints(directory, resolve(output))).join('\n');
}

async function fingerprints(directory: string, output: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const sources = entries.filter(({ name }) => !name.startsWith('.') && !notSources.includes(name));
  const found = await Promise.all(
    sources.map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return resolve(path) === output ? [] : await fingerprints(path, output);
      if (!sourceNames.test(entry.name)) return [];
      const { mtimeMs = 0, size = 0 } = await stat(path).catch(
        () => ({}) as { mtimeMs?: number; size?: number },
      );
      return [`${path} ${mtimeMs} ${size}`];
    }),
  );
  return found.flat();
}
