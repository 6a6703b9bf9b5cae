import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { repository } from '../support/source-files.ts';
import type { MutantResult, MutantRun } from './mutant-runner.ts';
import { buildSimulation, linkPackages } from './mutated-build.ts';
import type { Mutation } from './mutation.ts';
import { mutations } from './mutations.ts';

/** Every mutation is to be caught within so many runs. */
export const MAX_RUNS = 2_000;
const SEED = 20_261_121;

/**
 * Simulates the package with each mutation, and as it is.
 *
 * @returns what was found, by the names of the mutations; of the package as it is under 'none'
 */
export async function runMutants(
  chosen: readonly Mutation[] = mutations,
  unmutatedRuns = 300,
): Promise<Map<string, MutantResult>> {
  const folder = await mkdtemp(join(tmpdir(), 'sagabox-mutants-'));
  try {
    await linkPackages(folder);
    const names = ['none', ...chosen.map(({ name }) => name)];
    const modules = await Promise.all(
      [undefined, ...chosen].map((mutation, index) => buildSimulation(folder, `${index}.mjs`, mutation)),
    );
    const runs = modules.map((module, index): MutantRun => {
      const modes = chosen[index - 1]?.modes;
      const runs = index === 0 ? unmutatedRuns : MAX_RUNS;
      return { module, options: { seed: SEED, runs, ...(modes && { modes }) } };
    });
    const results = await inThread(runs);
    return new Map(
      modules.flatMap((module, index) => {
        const result = results.find((found) => found.module === module);
        return result ? [[names[index] ?? '', result] as const] : [];
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inThread(runs: readonly MutantRun[]): Promise<MutantResult[]> {
  const results: MutantResult[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const worker = new Worker(join(repository, 'test/simulation/mutant-runner.ts'), { workerData: runs });
  worker.on('message', (result: MutantResult) => results.push(result));
  worker.once('error', reject);
  worker.once('exit', resolve);
  try {
    await promise;
  } finally {
    await worker.terminate();
  }
  return results;
}
