import type { CreateHandlerOptions } from 'sagabox';
import { type Engines, withEngines } from '../../test/support/own-engines/engines.ts';
import type { BenchRun } from '../benchmark/bench-run.ts';
import type { ContentionBenchFigures } from '../benchmark/benchmark-figures.ts';
import { type ContenderName, contenderNames, contenders, isSagabox } from './contenders.ts';
import { losses } from './losses.ts';
import { type RoundFigures, runRound } from './round.ts';
import { figuresOfRounds } from './rounds.ts';

interface ContentionDepth {
  readonly messages: number;
  readonly warmUpMessages: number;
  readonly rounds: number;
  /** Of all contenders; sagabox's defaults when nothing is told. */
  readonly recoverability?: CreateHandlerOptions['recoverability'];
}

const workers = 8;
/**
 * A short run has no time to wait for those that meet conflict after conflict; with few conflicts no delay is
 * this long.
 */
const shortDelays: CreateHandlerOptions['recoverability'] = {
  immediateRetries: { maxDelay: { milliseconds: 400 } },
  delayedRetries: { baseDelay: { seconds: 1 }, maxDelay: { seconds: 1 } },
};
const depths: Readonly<Record<BenchRun['depth'], ContentionDepth>> = {
  short: { messages: 60, warmUpMessages: 5, rounds: 1, recoverability: shortDelays },
  full: { messages: 200, warmUpMessages: 40, rounds: 3 },
};

/** @throws when sagabox lost a message, or applied one twice, in any round */
export async function measureContention(run: BenchRun): Promise<ContentionBenchFigures> {
  return await withEngines(
    (engines, signal) => contentionOn(engines, depths[run.depth], { ...run, signal }),
    run.signal,
  );
}

/** All on the same engines, which each of them warms up first, in rounds that alternate. */
export async function contentionOn(
  engines: Engines,
  { messages, warmUpMessages, rounds, recoverability }: ContentionDepth,
  { signal, progress }: Pick<BenchRun, 'signal' | 'progress'>,
): Promise<ContentionBenchFigures> {
  const run = async (name: ContenderName, count: number) => {
    const load = { messages: count, workers, recoverability, ...contenders[name] };
    const figures = await runRound(engines, load, signal);
    assertNoLoss(name, figures);
    return figures;
  };

  for (const name of contenderNames) {
    progress(`Contention: warming up, ${name}`);
    await run(name, warmUpMessages);
  }
  const measured = new Map<ContenderName, RoundFigures[]>(contenderNames.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    // Who comes first changes: none always follows the same other one.
    for (const name of round % 2 === 0 ? contenderNames : contenderNames.toReversed()) {
      progress(`Contention: round ${round + 1} of ${rounds}, ${name}`);
      measured.get(name)?.push(await run(name, messages));
    }
  }
  const entries = [...measured].map(([name, all]) => [name, figuresOfRounds(all)] as const);
  return Object.fromEntries(entries) as unknown as ContentionBenchFigures;
}

/** A figure is worth nothing for messages that were lost; of a peer it is told how many. */
export function assertNoLoss(name: ContenderName, figures: RoundFigures): void {
  const found = isSagabox(name) ? losses(figures) : [];
  if (found.length > 0) throw new Error(`${name}: of ${figures.messages} messages ${found.join('; ')}`);
}
