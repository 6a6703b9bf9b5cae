import { createHandler } from 'sagabox';
import { type Engines, withEngines } from '../../test/support/own-engines/engines.ts';
import { blindSpinHandler } from '../peers/blind-spin.ts';
import { retryWithoutJitterHandler } from '../peers/retry-without-jitter.ts';
import { lockings } from './contenders.ts';
import type { ContentionOptions, Mode } from './options.ts';
import { type MakeHandler, type RoundFigures, runRound } from './round.ts';

export interface ContentionFigures extends RoundFigures {
  readonly mode: Mode;
  /** What DynamoDB was: `dynoxide 1.2.1`. */
  readonly engine: string;
  /** In pessimistic mode. */
  readonly blindSpin?: Pick<
    RoundFigures,
    'refusedLockAttempts' | 'wcuPerMessage' | 'refusedWcuPerMessage' | 'seconds'
  >;
  /** In the other modes. */
  readonly retryWithoutJitter?: Pick<
    RoundFigures,
    'conflicts' | 'wcuPerMessage' | 'refusedWcuPerMessage' | 'seconds'
  >;
}

/**
 * Enough for the engines and the code to be as fast as they get: the first load must not pay for the second.
 */
const warmUpMessages = 40;

export async function runContention(
  options: ContentionOptions,
  signal: AbortSignal,
): Promise<ContentionFigures> {
  return await withEngines((engines, ending) => compare(engines, options, ending), signal);
}

async function compare(
  engines: Engines,
  { mode, messages, workers }: ContentionOptions,
  signal: AbortSignal,
): Promise<ContentionFigures> {
  const locking = lockings[mode];
  const run = (makeHandler: MakeHandler, count: number) =>
    runRound(engines, { messages: count, workers, locking, makeHandler }, signal);
  const warmUp = Math.min(messages, warmUpMessages);
  const peer = mode === 'pessimistic' ? blindSpinHandler : retryWithoutJitterHandler;

  await run(createHandler, warmUp);
  await run(peer, warmUp);
  const own = await run(createHandler, messages);
  const { refusedLockAttempts, conflicts, wcuPerMessage, refusedWcuPerMessage, seconds } = await run(
    peer,
    messages,
  );
  const figures = { wcuPerMessage, refusedWcuPerMessage, seconds };
  return {
    mode,
    engine: engines.dynamoDBEngine,
    ...own,
    ...(mode === 'pessimistic'
      ? { blindSpin: { refusedLockAttempts, ...figures } }
      : { retryWithoutJitter: { conflicts, ...figures } }),
  };
}
