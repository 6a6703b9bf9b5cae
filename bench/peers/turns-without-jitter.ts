import { type CreateHandlerOptions, type SqsBatchHandler, sagaOutbox } from 'sagabox';
import { withoutJitter } from './without-jitter.ts';
import { type PeerSaga, withTurns } from './without-turns.ts';

/** Sagabox, but for its jitter: after a conflict the delay doubles, and is the same for all. */
export function turnsWithoutJitterHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  return withoutJitter(withTurns(saga, sagaOutbox({ ...options, saga })), options);
}
