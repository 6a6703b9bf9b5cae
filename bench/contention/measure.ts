import type { CreateHandlerOptions } from 'sagabox';
import { type Engines, withEngines } from '../../test/support/own-engines/engines.ts';
import type { ContentionRound, Figures } from '../benchmark/figures.ts';
import { inTurns, mapNames, mediansOf } from '../benchmark/in-turns.ts';
import type { BenchRun } from '../benchmark/measure-parts.ts';
import { type ContenderName, contenderNames, contenders } from './contenders.ts';
import { runRound } from './round.ts';

interface ContentionDepth {
  readonly messages: number;
  readonly workers: number;
  /** In per cent of the transactions. @default 0 */
  readonly conflicts?: number;
  /** For the engines and the code to be as fast as they get: no contender pays for the next one. */
  readonly warmUpMessages: number;
  readonly rounds: number;
  /** Of all contenders. @default the defaults of sagabox */
  readonly recoverability?: CreateHandlerOptions['recoverability'];
}

/** A short run has no time to wait after repeated conflicts; with few conflicts no delay is this long. */
const shortDelays: CreateHandlerOptions['recoverability'] = {
  immediateRetries: { maxDelay: { milliseconds: 400 } },
  delayedRetries: { baseDelay: { seconds: 1 }, maxDelay: { seconds: 1 } },
};
const depths: Readonly<Record<BenchRun['depth'], ContentionDepth>> = {
  short: { messages: 60, workers: 8, warmUpMessages: 5, rounds: 1, recoverability: shortDelays },
  full: { messages: 200, workers: 8, warmUpMessages: 40, rounds: 3 },
};

export async function measureContention(run: BenchRun): Promise<Figures['contention']> {
  return await withEngines(
    (engines, signal) => contentionOn(engines, contenderNames, depths[run.depth], { ...run, signal }),
    run.signal,
  );
}

/** All on the same engines, which each contender warms up first. */
export async function contentionOn<Name extends ContenderName>(
  engines: Engines,
  names: readonly Name[],
  { messages, warmUpMessages, rounds, ...load }: ContentionDepth,
  { signal, progress, control }: Pick<BenchRun, 'signal' | 'progress' | 'control'>,
): Promise<Record<Name, ContentionRound>> {
  const run = (name: Name, count: number) =>
    runRound(engines, { ...load, messages: count, ...contenders[name] }, signal);
  for (const name of names) {
    progress(`Contention: warming up, ${name}`);
    await run(name, warmUpMessages);
  }
  const measured = await inTurns(names, rounds, async (name, round) => {
    await control?.betweenRuns();
    progress(`Contention: round ${round + 1} of ${rounds}, ${name}`);
    return await run(name, messages);
  });
  return mapNames(names, (name) => figuresOfRounds(measured[name]));
}

/** The medians of what chance decides; the worst round of what must never happen. */
export function figuresOfRounds(rounds: readonly ContentionRound[]): ContentionRound {
  return {
    ...mediansOf(rounds),
    applied: Math.min(...rounds.map(({ applied }) => applied)),
    twice: Math.max(...rounds.map(({ twice }) => twice)),
    deadLettered: Math.max(...rounds.map(({ deadLettered }) => deadLettered)),
  };
}
