import { createHandler, type Locking } from 'sagabox';
import type { BenchRun } from '../bench-run.ts';
import type { ContentionBenchFigures, ContentionRound } from '../benchmark-figures.ts';
import { blindSpinHandler } from '../peers/blind-spin.ts';
import { retryWithoutJitterHandler } from '../peers/retry-without-jitter.ts';
import { lockings, warmUpMessages } from './compare.ts';
import { withEngines } from './engines.ts';
import { type MakeHandler, type RoundFigures, runRound } from './round.ts';

export type ContenderName = keyof ContentionBenchFigures;

interface Contender {
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
}

export const contenders: Readonly<Record<ContenderName, Contender>> = {
  optimistic: { locking: lockings.optimistic, makeHandler: createHandler },
  eventual: { locking: lockings.eventual, makeHandler: createHandler },
  pessimistic: { locking: lockings.pessimistic, makeHandler: createHandler },
  blindSpin: { locking: lockings.pessimistic, makeHandler: blindSpinHandler },
  retryWithoutJitter: { locking: lockings.optimistic, makeHandler: retryWithoutJitterHandler },
};

const workers = 8;
const messages: Readonly<Record<BenchRun['depth'], number>> = { short: 60, full: 200 };

/** One after another on the same engines, which each of them warms up first. */
export async function measureContention({
  depth,
  signal,
  progress,
}: BenchRun): Promise<ContentionBenchFigures> {
  return await withEngines(async (engines) => {
    const entries = Object.entries(contenders);
    for (const [name, contender] of entries) {
      progress(`Contention: warming up, ${name}`);
      await runRound(engines, { messages: warmUpMessages, workers, ...contender }, signal);
    }
    const measured: [string, ContentionRound][] = [];
    for (const [name, contender] of entries) {
      progress(`Contention: ${name}`);
      const load = { messages: messages[depth], workers, ...contender };
      measured.push([name, roundOf(await runRound(engines, load, signal))]);
    }
    return Object.fromEntries(measured) as unknown as ContentionBenchFigures;
  });
}

export function roundOf({ messages: _, applied, ...figures }: RoundFigures): ContentionRound {
  return { appliedOnce: applied - figures.appliedTwice, ...figures };
}
