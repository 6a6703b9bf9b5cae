import type { Attempt, OpenMessage } from '../attempt/attempt.ts';
import { isHandledAgain } from '../attempt/handled-again.ts';
import { isNotStarted } from '../attempt/invocation-deadline.ts';
import { report, reportEvent, reportMerges } from '../attempt/report.ts';
import { isRetryable, isSagaboxError, type SagaboxError } from '../kernel/errors/errors.ts';
import { messageFacts } from '../observe/logs/message-logger.ts';

/**
 * Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record.
 */
export async function fail(attempt: Attempt | OpenMessage, error: unknown): Promise<void> {
  const { flow, delivery, received, signal } = attempt;
  // Read before anything is awaited: the next attempt has a result of its own.
  const { result } = delivery;
  const opened = 'work' in attempt ? attempt : undefined;
  const saga = opened?.draft?.identity;
  if (opened) await close(opened);
  // Neither counts as a failure: one message is handled again, and the other was not started.
  if (isHandledAgain(error) || isNotStarted(error)) return await reportMerges(attempt);
  if (isSagaConflict(error)) {
    const { operation } = error.facts;
    const facts = messageFacts(flow.endpoint, received, saga);
    await reportEvent(flow.hooks, attempt, { type: 'conflict', operation, ...facts });
  }
  const tell = () => report(attempt, 'failed', saga, error);
  // After a retryable error or a timeout the state is not read again: neither tells that it was old.
  if (isRetryable(error) || signal.aborted) result.noteStateNeedsNoCheck();
  // Checked before the delivery tells its entry of the failure: the entry follows no message after that.
  // Whether the failure counts is known when the messages ahead are committed, or the saga is read again.
  if (opened?.queueEntry?.isFollowing || result.confirmStateIsCurrent) result.failLater(tell);
  else await tell();
}

/** Stops the handler from changing a state or sending a message, and releases the lease. */
export async function close({ work, draft, lease, signal }: OpenMessage): Promise<void> {
  work.seal();
  draft?.seal();
  await work.settle(signal);
  await lease?.release();
}

function isSagaConflict(error: unknown): error is SagaboxError<'SagaConcurrency'> {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}
