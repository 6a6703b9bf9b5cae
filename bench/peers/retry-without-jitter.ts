import type { CreateHandlerOptions, SqsBatchHandler } from 'sagabox';
import { configureFlow } from '../../lib/middleware/configure-flow.ts';
import { batchHandler } from '../../lib/middleware/sqs-batch.ts';
import { type PeerSaga, withoutTurns } from './without-turns.ts';

/** As many as there is time for: such a loop ends when its write is taken. */
const maximumRetries = 1000;

/**
 * The loop around a conditional write that is written by hand: a message that meets a conflict starts over after a delay that
 * doubles, and is the same for all, whoever else of its own batch works on the saga. All else is what sagabox does: the same
 * conditions, the same commit, the same base and limit of the delay.
 */
export function retryWithoutJitterHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const flow = configureFlow({ ...options, saga });
  const recoverability = { ...options.recoverability, immediateRetries: { maximumRetries } };
  return batchHandler(withoutTurns(flow, saga), { ...options, recoverability }, { random: wholeDelay });
}

/** Jitter takes a random share of each delay. */
function wholeDelay(): number {
  return 1;
}
