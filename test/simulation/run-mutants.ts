import { withFolder } from '../support/with-folder.ts';
import type { CheckResult } from './check-histories.ts';
import { checkInThreads, type ThreadRun } from './check-in-threads.ts';
import { buildSimulation, linkPackages } from './mutated-build.ts';
import type { Mutation } from './mutation.ts';

/** Every mutation is to be caught within so many histories, also when those of its seed are no longer the same. */
export const MAX_RUNS = 2_000;

/** That of the mutations that have none of their own: its first histories show half of them. */
const SEED = 8;

export const seedOf = ({ seed = SEED }: Mutation): number => seed;

export interface MutantResult {
  readonly mutated: CheckResult;
  /** Of the package as it is, in the histories that showed the mutation, and more where another one took more. */
  readonly unmutated: CheckResult;
}

interface MutantsOptions {
  /** With a name each. */
  readonly mutations: readonly Mutation[];
  /** For each mutation. */
  readonly maxRuns: number;
  /** In place of those of the mutations. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/**
 * Simulates the package with each mutation, and as it is.
 *
 * @returns what was found, by the names of the mutations
 */
export async function runMutants({
  mutations,
  maxRuns,
  seed,
  signal,
}: MutantsOptions): Promise<Map<string, MutantResult>> {
  return await withFolder('sagabox-mutants-', async (folder) => {
    await linkPackages(folder);
    const runs = await Promise.all(
      mutations.map(async (mutation, index): Promise<[string, ThreadRun]> => {
        const module = await buildSimulation(folder, `${index}.mjs`, mutation);
        const { name, modes, outbox } = mutation;
        const run = { seed: seed ?? seedOf(mutation), runs: maxRuns, shrinks: false, module };
        return [name, { ...run, ...(modes && { modes }), ...(outbox && { outbox }) }];
      }),
    );
    const mutated = await checkInThreads(Object.fromEntries(runs), signal);
    const module = await buildSimulation(folder, 'unmutated.mjs');
    const longest: Record<string, ThreadRun & { readonly runs: number }> = {};
    for (const [name, run] of runs) {
      const histories = historiesOf(run);
      const most = Math.max(longest[histories]?.runs ?? 0, resultOf(mutated, name).runs);
      longest[histories] = { ...run, module, runs: most };
    }
    const unmutated = await checkInThreads(longest, signal);
    return new Map(
      runs.map(([name, run]) => [
        name,
        { mutated: resultOf(mutated, name), unmutated: resultOf(unmutated, historiesOf(run)) },
      ]),
    );
  });
}

/** Runs of one text are of the same histories, of which one may have more. */
function historiesOf({ seed, modes = [], outbox }: ThreadRun): string {
  return [seed, outbox, ...modes].join();
}

function resultOf(results: Readonly<Record<string, CheckResult>>, name: string): CheckResult {
  const result = results[name];
  if (result === undefined) throw new Error(`The thread ended before '${name}'`);
  return result;
}
