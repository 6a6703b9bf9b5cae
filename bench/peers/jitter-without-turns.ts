import { type CreateHandlerOptions, type SqsBatchHandler, sagaOutbox, sqsBatch } from 'sagabox';
import { type PeerSaga, withoutTurns } from './without-turns.ts';

/** Sagabox, but for its turns: the messages of one batch that belong to one saga work on it at once. */
export function jitterWithoutTurnsHandler(saga: PeerSaga, options: CreateHandlerOptions): SqsBatchHandler {
  return sqsBatch(withoutTurns(saga, sagaOutbox({ ...options, saga })), options);
}
