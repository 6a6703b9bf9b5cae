import { isRetryable, isSagaboxError, type SagaboxError } from '../core/failures/errors.ts';
import { messageFacts } from '../core/incoming/message-logger.ts';
import type { Attempt } from './attempt.ts';
import { isNotStarted } from './batch/invocation-deadline.ts';
import { isHandledAgain } from './handled-again.ts';
import { report, reportEvent, reportMerges } from './report.ts';
import type { Transaction } from './transaction.ts';

/**
 * Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record.
 */
export async function rollback(attempt: Attempt | Transaction, error: unknown): Promise<void> {
  const { flow, delivery, received, signal } = attempt;
  const transaction = 'work' in attempt ? attempt : undefined;
  const saga = transaction?.draft?.identity;
  if (transaction) await close(transaction);
  // That the message is handled again is no end of it; one that was not started is not touched.
  if (isHandledAgain(error) || isNotStarted(error)) return await reportMerges(attempt);
  if (isSagaConflict(error)) {
    const { operation } = error.facts;
    const facts = messageFacts(flow.endpoint, received, saga);
    await reportEvent(flow.hooks, attempt, { type: 'conflict', operation, ...facts });
  }
  const tell = () => report(attempt, 'failed', saga, error);
  // Neither comes of the state.
  if (isRetryable(error) || signal.aborted) delivery.isLatest = undefined;
  // Whether it counts shows when those ahead of it in the batch are committed, or its saga is read again.
  if (transaction?.place?.isFollowing || delivery.isLatest) delivery.reportFailure = tell;
  else await tell();
}

/** From here on its handler can change no state and send no message, and its lease is released. */
export async function close({ work, draft, lease, signal }: Transaction): Promise<void> {
  work.seal();
  draft?.seal();
  await work.settle(signal);
  await lease?.release();
}

function isSagaConflict(error: unknown): error is SagaboxError<'SagaConcurrency'> {
  return isSagaboxError(error) && error.code === 'SagaConcurrency';
}
