import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { stop } from 'esbuild';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { buildSimulation, linkPackages } from './mutated-build.ts';
import { type PatternMutation, patternMutations } from './pattern-mutations.ts';

/** Their tests hold that the same histories have no problem without a mutation. */
const MAX_RUNS = 20;
const entryPoints = {
  bookings: 'test/simulation/compensation/check-bookings.ts',
  gatherings: 'test/simulation/scatter-gather/check-gathering.ts',
} as const;
type Check = (seed: number) => Promise<{ readonly problems: readonly string[] }>;

const inFolder = temporaryDirectory();
const builds = new Map<PatternMutation, string>();
beforeAll(async () => {
  await linkPackages(inFolder());
  await Promise.all(patternMutations.map(build));
});
afterAll(() => stop());

it.each(patternMutations)('the $of find that $name', async (mutation) => {
  const check = await mutated(mutation);
  const found: string[] = [];
  for (let seed = 1; seed <= MAX_RUNS && found.length === 0; seed += 1) {
    const { problems } = await check(seed).catch(({ message }) => ({ problems: [message as string] }));
    found.push(...problems);
  }
  expect(found).not.toEqual([]);
});

async function build(mutation: PatternMutation, index: number): Promise<void> {
  const fileName = `${index}.mjs`;
  builds.set(mutation, await buildSimulation(inFolder(), fileName, mutation, entryPoints[mutation.of]));
}

async function mutated(mutation: PatternMutation): Promise<Check> {
  const { checkBooking, checkGathering } = await import(pathToFileURL(builds.get(mutation) ?? '').href);
  return mutation.of === 'bookings' ? checkBooking : checkGathering;
}
