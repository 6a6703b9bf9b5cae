import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figures } from '../benchmark/figures.ts';
import { inTurns, mapNames, mediansOf } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';
import { allBundles } from './bundle.ts';

/** No schema library is loaded: what one takes is not sagabox's. */
export const loadedNames = ['sagabox', 'powertools', 'middy'] as const;
type LoadedName = (typeof loadedNames)[number];

/** Even: each bundle is as often ahead of the others as behind them. */
const roundsOf = { short: 20, full: 60 } as const;

/**
 * Runs in the fresh process. The bundle's part of the SDK is loaded first, so that the bundle's own time
 * shows: the SDK takes more, and the same whoever loads it. Each bundle but bare middy creates all its
 * clients while it is loaded, in its own time.
 */
const loader = `
const [bundle, ...sdk] = process.argv.slice(2);
const start = performance.now();
for (const name of sdk) await import(name);
const sdkLoaded = performance.now();
const { handler } = await import(bundle);
const end = performance.now();
if (typeof handler !== 'function') throw new Error(bundle + ' has no handler');
console.log(JSON.stringify({ withSdkMs: end - start, aloneMs: end - sdkLoaded }));
`;

export async function measureColdLoad({ depth, signal, progress }: BenchRun): Promise<Figures['coldLoad']> {
  const rounds = roundsOf[depth];
  progress(`Cold load: ${rounds} fresh processes for each bundle`);
  return await coldLoadOf(rounds, signal);
}

/** The time to load each bundle in a fresh process. */
export async function coldLoadOf(rounds: number, signal: AbortSignal): Promise<Figures['coldLoad']> {
  const folder = await mkdtemp(join(tmpdir(), 'sagabox-cold-load-'));
  try {
    const bundles = await allBundles();
    // The SDK comes from the packages that are installed here.
    const packages = join(import.meta.dirname, '../../node_modules');
    await symlink(packages, join(folder, 'node_modules'), 'junction');
    await writeFile(join(folder, 'load.mjs'), loader);
    for (const name of loadedNames) await writeFile(join(folder, `${name}.mjs`), bundles[name].code);

    const env = { ...process.env, AWS_REGION: 'eu-west-1' };
    const load = async (name: LoadedName): Promise<Record<'withSdkMs' | 'aloneMs', number>> => {
      const options = [join(folder, 'load.mjs'), `./${name}.mjs`, ...bundles[name].sdkLoadedAtOnce];
      return JSON.parse((await promisify(execFile)(process.execPath, options, { env, signal })).stdout);
    };
    const loads = await inTurns(loadedNames, rounds, load);
    const medians = mapNames(loadedNames, (name) => mediansOf(loads[name]));
    return {
      rounds,
      withSdkMs: mapNames(loadedNames, (name) => medians[name].withSdkMs),
      aloneMs: mapNames(loadedNames, (name) => medians[name].aloneMs),
      sdkLoadedAtOnce: {
        sagabox: bundles.sagabox.sdkLoadedAtOnce,
        powertools: bundles.powertools.sdkLoadedAtOnce,
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
