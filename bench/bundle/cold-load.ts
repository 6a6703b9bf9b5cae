import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../../test/support/median.ts';
import type { BenchRun } from '../benchmark/bench-run.ts';
import type { ColdLoadFigures } from '../benchmark/benchmark-figures.ts';
import { type Bundle, type BundleName, bundle, bundleNames } from './bundle.ts';

/** Even: each bundle is as often ahead of the others as behind them. */
const roundsOf = { short: 10, full: 20 } as const;

/**
 * Runs in the fresh process. What a bundle takes of the SDK is loaded ahead of it, so that its own part can
 * be told: the SDK is the larger one, and the same whoever loads it. Its clients are not: each bundle but
 * bare middy makes all that it uses while it is loaded, in its own part.
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

export async function measureColdLoad({ depth, signal, progress }: BenchRun): Promise<ColdLoadFigures> {
  const count = roundsOf[depth];
  progress(`cold load: ${count} fresh processes for each bundle`);
  return await coldLoadOf(count, signal);
}

/**
 * The time to load each bundle in a fresh process, in turns, so that what else goes on in the machine falls
 * on all.
 */
export async function coldLoadOf(rounds: number, signal: AbortSignal): Promise<ColdLoadFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'sagabox-cold-load-'));
  try {
    const bundles = await Promise.all(bundleNames.map(bundle));
    await prepare(folder, bundles);
    const loads = new Map<BundleName, Load[]>(bundleNames.map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      // Who comes first changes: none always follows the same other one.
      const order = round % 2 === 0 ? bundles : bundles.toReversed();
      for (const one of order) loads.get(one.name)?.push(await load(folder, one, signal));
    }
    return figuresOf(loads, bundles, rounds);
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
  rounds: number,
): ColdLoadFigures {
  const medianOf = (name: BundleName, part: keyof Load) =>
    median((loads.get(name) ?? []).map((times) => times[part]));
  const sdkOf = (name: BundleName) => bundles.find((one) => one.name === name)?.sdkLoadedAtOnce ?? [];
  return {
    sagabox: medianOf('sagabox', 'total'),
    powertools: medianOf('powertools', 'total'),
    middy: medianOf('middy', 'total'),
    withoutSdk: {
      sagabox: medianOf('sagabox', 'own'),
      powertools: medianOf('powertools', 'own'),
      middy: medianOf('middy', 'own'),
    },
    sdkLoadedAtOnce: { sagabox: sdkOf('sagabox'), powertools: sdkOf('powertools') },
    rounds,
  };
}
