import { fstatSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 300;
/** Installed, or written by a build: a synth may write there. */
const notSources = ['node_modules', 'dist', 'build', 'coverage', 'cdk.out'];
const code = /\.[cm]?[jt]sx?$/;
/** Read by code or a synth; programs write such files too. */
const data = /\.(?:json|ya?ml|toml|graphql|gql|sql|html|vtl|proto|wasm)$/;

/** What tells the contents of each source apart, by its path. */
export type SourceStamps = ReadonlyMap<string, string>;

export interface SourcePlace {
  readonly directory: string;
  /** Of the synth, which is no source. */
  readonly output: string;
  /** File descriptors that this process writes to: a file behind one is no source either. */
  readonly written?: readonly number[];
}

export function isDataFile(path: string): boolean {
  return data.test(path);
}

/**
 * Yields the sources that have changed, and have stayed as they are for a moment. Looking is the same on all
 * platforms and file systems, and costs little without the folders of packages.
 */
export async function* sourceChanges(
  place: SourcePlace,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  let before = await sourceStamps(place);
  let changing: readonly string[] = [];
  for (;;) {
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const now = await sourceStamps(place);
    const changed = changedSources(before, now);
    const still = changing.filter((path) => !changed.includes(path));
    [before, changing] = [now, changed];
    if (still.length > 0) yield still;
  }
}

/** Those that were written, came or went. */
export function changedSources(before: SourceStamps, now: SourceStamps): readonly string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path));
}

export async function sourceStamps({
  directory,
  output,
  written = [process.stdout.fd, process.stderr.fd],
}: SourcePlace): Promise<SourceStamps> {
  const fileIds = written.map((descriptor) => fileId(fstatSync(descriptor)));
  return new Map(await stampsBelow(directory, { output: resolve(output), fileIds }));
}

interface NoSources {
  readonly output: string;
  readonly fileIds: readonly string[];
}

async function stampsBelow(directory: string, others: NoSources): Promise<[path: string, stamp: string][]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const sources = entries.filter(({ name }) => !name.startsWith('.') && !notSources.includes(name));
  const found = await Promise.all(
    sources.map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return resolve(path) === others.output ? [] : await stampsBelow(path, others);
      if (!code.test(entry.name) && !isDataFile(entry.name)) return [];
      const file = await stat(path).catch(() => undefined);
      if (file === undefined || others.fileIds.includes(fileId(file))) return [];
      return [[path, `${file.mtimeMs} ${file.size}`] satisfies [string, string]];
    }),
  );
  return found.flat();
}

function fileId({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev} ${ino}`;
}
