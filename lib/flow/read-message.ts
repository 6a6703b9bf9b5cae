import { beforeAbort } from '../core/async/before-abort.ts';
import type { IncomingMessage } from '../core/incoming/message.ts';
import type { CorrelatedMessage } from '../core/saga/define-saga.ts';
import type { Attempt } from './attempt.ts';
import { loadBody } from './claim-check.ts';
import { isTimeout } from './saga/timeouts.ts';

export interface ReadMessage {
  /** With its body, and validated where it belongs to a saga. */
  readonly message: IncomingMessage;
  readonly correlated: CorrelatedMessage | undefined;
}

/** Makes of what was received what its handler gets, and finds the saga that it belongs to. */
export async function readMessage(attempt: Attempt): Promise<ReadMessage> {
  const { flow } = attempt;
  const message = await loadBody(attempt);
  if (flow.saga === undefined) return { message, correlated: undefined };
  const correlated = await beforeAbort(flow.saga.correlate(message), attempt.signal);
  // A timeout belongs to the saga that requested it, and starts none in its place.
  const starts = correlated.starts && !isTimeout(message);
  return { message: correlated.message, correlated: { ...correlated, starts } };
}
