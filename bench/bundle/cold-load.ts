import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchRun } from '../bench-run.ts';
import type { ColdLoadFigures } from '../benchmark-figures.ts';
import { type Bundle, type BundleName, bundle, bundleNames } from './bundle.ts';

const rounds = { short: 5, full: 20 } as const;

/**
 * Runs in the fresh process. What a bundle takes of the SDK is loaded ahead of it, so that its own part can be told: the SDK
 * is the larger one, and the same whoever loads it.
 */
const loader = `
const [bundle, ...sdk] = process.argv.slice(2);
const start = performance.now();
for (const name of sdk) await import(name);
const sdkLoaded = performance.now();
const { handler } = await import(bundle);
const end = performance.now();
console.log(JSON.stringify({ total: end - start, own: end - sdkLoaded, handler: typeof handler }));
`;

interface Load {
  readonly total: number;
  readonly own: number;
}

/** The time to load each bundle in a fresh process, in turns, so that what else goes on in the machine falls on all. */
export async function measureColdLoad({ depth, signal, progress }: BenchRun): Promise<ColdLoadFigures> {
  const count = rounds[depth];
  progress(`cold load: ${count} fresh processes for each bundle`);
  const folder = await mkdtemp(join(tmpdir(), 'sagabox-cold-load-'));
  try {
    const bundles = await Promise.all(bundleNames.map(bundle));
    await prepare(folder, bundles);
    const loads = new Map<BundleName, Load[]>(bundleNames.map((name) => [name, []]));
    for (let round = 0; round < count; round += 1) {
      for (const one of bundles) loads.get(one.name)?.push(await load(folder, one, signal));
    }
    return figuresOf(loads, bundles, count);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The SDK comes from the packages that are installed here. */
async function prepare(folder: string, bundles: readonly Bundle[]): Promise<void> {
  await symlink(
    join(import.meta.dirname, '..', '..', 'node_modules'),
    join(folder, 'node_modules'),
    'junction',
  );
  await writeFile(join(folder, 'load.mjs'), loader);
  for (const { name, code } of bundles) await writeFile(join(folder, `${name}.mjs`), code);
}

async function load(folder: string, { name, sdkLoadedAtOnce }: Bundle, signal: AbortSignal): Promise<Load> {
  const options = [join(folder, 'load.mjs'), `./${name}.mjs`, ...sdkLoadedAtOnce];
  const env = { ...process.env, AWS_REGION: 'eu-west-1' };
  const { stdout } = await promisify(execFile)(process.execPath, options, { env, signal });
  const { handler, ...times } = JSON.parse(stdout);
  if (handler !== 'function') throw new Error(`The bundle of ${name} has no handler`);
  return times;
}

function figuresOf(
  loads: ReadonlyMap<BundleName, readonly Load[]>,
  bundles: readonly Bundle[],
  count: number,
): ColdLoadFigures {
  const median = (name: BundleName, part: keyof Load) =>
    medianOf((loads.get(name) ?? []).map((times) => times[part]));
  const sdkOf = (name: BundleName) => bundles.find((one) => one.name === name)?.sdkLoadedAtOnce ?? [];
  return {
    sagabox: median('sagabox', 'total'),
    powertools: median('powertools', 'total'),
    middy: median('middy', 'total'),
    withoutSdk: {
      sagabox: median('sagabox', 'own'),
      powertools: median('powertools', 'own'),
      middy: median('middy', 'own'),
    },
    sdkLoadedAtOnce: { sagabox: sdkOf('sagabox'), powertools: sdkOf('powertools') },
    rounds: count,
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
