import { isRetryable, isSagaboxError, type SagaboxError } from '../core/failures/errors.ts';
import { messageFacts } from '../core/incoming/message-logger.ts';
import type { Attempt, OpenMessage } from './attempt.ts';
import { isNotStarted } from './batch/invocation-deadline.ts';
import { isHandledAgain } from './handled-again.ts';
import { report, reportEvent, reportMerges } from './report.ts';

/**
 * Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record.
 */
export async function fail(attempt: Attempt | OpenMessage, error: unknown): Promise<void> {
  const { flow, delivery, received, signal } = attempt;
  // Before anything is awaited: the next attempt has a result of its own.
  const { result } = delivery;
  const opened = 'work' in attempt ? attempt : undefined;
  const saga = opened?.draft?.identity;
  if (opened) await close(opened);
  // That the message is handled again is no end of it; one that was not started is not touched.
  if (isHandledAgain(error) || isNotStarted(error)) return await reportMerges(attempt);
  if (isSagaConflict(error)) {
    const { operation } = error.facts;
    const facts = messageFacts(flow.endpoint, received, saga);
    await reportEvent(flow.hooks, attempt, { type: 'conflict', operation, ...facts });
  }
  const tell = () => report(attempt, 'failed', saga, error);
  // A retryable error or a timeout does not mean that the state was old: it is not read again for that.
  if (isRetryable(error) || signal.aborted) result.restOnNoState();
  // Before the delivery tells its place of it, which follows nobody from then on.
  // Whether it counts shows when those ahead of it in the batch are committed, or its saga is read again.
  if (opened?.place?.isFollowing || result.confirmStateIsCurrent) result.failLater(tell);
  else await tell();
}

/** From here on its handler can change no state and send no message, and its lease is released. */
export async function close({ work, draft, lease, signal }: OpenMessage): Promise<void> {
  work.seal();
  draft?.seal();
  await work.settle(signal);
  await lease?.release();
}

function isSagaConflict(error: unknown): error is SagaboxError<'SagaConcurrency'> {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}
