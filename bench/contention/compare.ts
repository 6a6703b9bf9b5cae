import { createHandler, type Locking } from 'sagabox';
import { startDynamoDBLocal, startSqsEmulator } from 'sagabox/local';
import { blindSpinHandler } from '../peers/blind-spin.ts';
import type { ContentionOptions, Mode } from './options.ts';
import { type Engines, type MakeHandler, type RoundFigures, runRound } from './round.ts';

export interface ContentionFigures extends RoundFigures {
  readonly mode: Mode;
  readonly blindSpin?: Pick<RoundFigures, 'refusedLockAttempts' | 'wcuPerMessage' | 'seconds'>;
}

const lockings: Readonly<Record<Mode, Locking>> = {
  optimistic: { mode: 'optimistic' },
  eventual: { mode: 'optimistic', consistentRead: false },
  pessimistic: { mode: 'pessimistic' },
};

/** Enough for the engines and the code to be as fast as they get: the first load must not pay for the second. */
const warmUpMessages = 40;

export async function runContention(
  options: ContentionOptions,
  signal: AbortSignal,
): Promise<ContentionFigures> {
  const starts = await Promise.allSettled([startDynamoDBLocal(), startSqsEmulator()]);
  try {
    const [dynamoDB, sqs] = starts;
    if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
    if (sqs.status === 'rejected') throw sqs.reason;
    const engines = { dynamoDBEndpoint: dynamoDB.value.endpoint, sqsEndpoint: sqs.value.endpoint };
    return await compare(engines, options, signal);
  } finally {
    for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
  }
}

async function compare(
  engines: Engines,
  options: ContentionOptions,
  signal: AbortSignal,
): Promise<ContentionFigures> {
  const { mode, messages, workers } = options;
  const locking = lockings[mode];
  const run = (makeHandler: MakeHandler, count: number) =>
    runRound(engines, { messages: count, workers, locking, makeHandler }, signal);
  const warmUp = Math.min(messages, warmUpMessages);

  await run(createHandler, warmUp);
  if (mode !== 'pessimistic') return { mode, ...(await run(createHandler, messages)) };

  await run(blindSpinHandler, warmUp);
  const own = await run(createHandler, messages);
  const { refusedLockAttempts, wcuPerMessage, seconds } = await run(blindSpinHandler, messages);
  return { mode, ...own, blindSpin: { refusedLockAttempts, wcuPerMessage, seconds } };
}
