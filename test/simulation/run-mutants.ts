import { withFolder } from '../support/with-folder.ts';
import type { CheckResult } from './check-histories.ts';
import { checkInThread, type ThreadRun } from './check-in-thread.ts';
import { buildSimulation, linkPackages } from './mutated-build.ts';
import { mutations } from './mutations.ts';

/** Every mutation is to be caught within so many runs. */
export const MAX_RUNS = 2_000;
const UNMUTATED_RUNS = 50;
const SEED = 20_261_121;

/**
 * Simulates the package with each mutation, and as it is.
 *
 * @returns what was found, by the names of the mutations; of the package as it is under 'none'
 */
export async function runMutants(): Promise<Record<string, CheckResult>> {
  const options = { seed: SEED, shrinks: false };
  return await withFolder('sagabox-mutants-', async (folder) => {
    await linkPackages(folder);
    const mutated = mutations.map(async (mutation, index): Promise<[string, ThreadRun]> => {
      const module = await buildSimulation(folder, `${index}.mjs`, mutation);
      const { name, modes } = mutation;
      return [name, { ...options, module, runs: MAX_RUNS, ...(modes && { modes }) }];
    });
    const none = { ...options, runs: UNMUTATED_RUNS };
    return await checkInThread({ none, ...Object.fromEntries(await Promise.all(mutated)) });
  });
}
