import { type CreateHandlerOptions, type SqsBatchHandler, sagaOutbox } from 'sagabox';
import { withoutJitter } from './without-jitter.ts';
import { type PeerSaga, withoutTurns } from './without-turns.ts';

/** As many as there is time for: such a loop ends when its write is taken. */
const maxRetries = 1000;

/**
 * The loop around a conditional write that is written by hand. It lacks three things that sagabox has: turns
 * within a batch, jitter, and an end. A message that meets a conflict starts over after a delay that doubles,
 * and is the same for all, whoever else of its own batch works on the saga. The conditions, the commit, and
 * the delay on average are those of sagabox.
 */
export function retryWithoutJitterHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  const immediateRetries = { ...options.recoverability?.immediateRetries, maxRetries };
  const recoverability = { ...options.recoverability, immediateRetries };
  return withoutJitter(withoutTurns(saga, sagaOutbox({ ...options, saga })), { ...options, recoverability });
}
