import { isSagaboxError, type SagaboxError } from '../core/failures/errors.ts';
import { messageFacts } from '../core/incoming/message-logger.ts';
import type { SagaDraft } from '../core/saga/saga-state.ts';
import type { Attempt } from './attempt.ts';
import { isNotStarted } from './batch/invocation-deadline.ts';
import { isHandledAgain } from './handled-again.ts';
import { report, reportEvent, reportMerges } from './report.ts';
import { isLatest } from './saga/open-saga.ts';
import type { Transaction } from './transaction.ts';

/**
 * Ends an attempt that failed: nothing of it was committed, or what was committed waits in its outbox record.
 *
 * @param isOfHandler whether its handler had not returned
 */
export async function rollback(
  attempt: Attempt | Transaction,
  error: unknown,
  isOfHandler = false,
): Promise<void> {
  const { flow, delivery, received } = attempt;
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
  // Whether it counts shows when those ahead of it in the batch are committed, or its saga is read again.
  if (transaction?.place?.isFollowing) delivery.reportFailure = tell;
  else if (isOfHandler && transaction && readsLatestNext(transaction)) {
    delivery.reportFailure = tell;
    delivery.isLatest = () => isLatest(transaction, transaction.draft.opened);
  } else await tell();
}

/** Whether it may have failed on an old state of its saga, which the next attempt does not get. */
function readsLatestNext<T extends Transaction>(transaction: T): transaction is T & { draft: SagaDraft } {
  const { flow, draft, signal } = transaction;
  const isOutOfTime = signal.aborted;
  return flow.embedded !== undefined && draft?.opened.mayBeOld === true && !isOutOfTime;
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
