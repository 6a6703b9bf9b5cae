import type { Attempt, SagaLease } from '../attempt/attempt.ts';
import { HandledAgain } from '../attempt/handled-again.ts';
import { report } from '../attempt/report.ts';
import { beforeAbort } from '../kernel/async/before-abort.ts';
import { copyOf, type IncomingMessage, isTimeout } from '../messages/message.ts';
import { messageFacts, messageLogger } from '../observe/logs/message-logger.ts';
import type { OpenedSaga } from '../saga/saga-state.ts';

/**
 * Commits a discard, under the condition that the saga is still absent or unchanged. Without the condition, a
 * stale read could drop a message of a saga that exists.
 *
 * @param wasCheckedBefore whether the dedup check is older than the read of the saga: another delivery of the
 *   message may have ended the saga in between
 * @throws HandledAgain in that case: the check is made again before a message without a saga is reported
 */
export async function discard(
  attempt: Attempt,
  message: IncomingMessage,
  openedSaga: OpenedSaga,
  lease: SagaLease,
  wasCheckedBefore: boolean,
): Promise<undefined> {
  try {
    if (wasCheckedBefore)
      throw new HandledAgain(message.id, 'its saga may have ended since its dedup check', { isAlone: true });
    const { onSagaNotFound } = attempt.flow.hooks;
    // Called before the message is acknowledged: an error of the hook fails the message.
    if (onSagaNotFound && !isTimeout(message))
      await beforeAbort(onSagaNotFound(copyOf(message)), attempt.signal);
    // A concurrent renewal could cancel the transaction.
    await lease.stopRenewing();
    await attempt.flow.outbox.commitEmpty(attempt, openedSaga, lease);
  } catch (error) {
    await lease.release();
    throw error;
  }
  tell(attempt, message, openedSaga);
  return await report(attempt, 'discarded', openedSaga.identity);
}

/** Logs a discard: normal for a timeout that its saga no longer waits for, but not for other messages. */
function tell({ flow }: Attempt, message: IncomingMessage, { identity }: OpenedSaga): void {
  const logger = messageLogger(flow.logger, messageFacts(flow.endpoint, message, identity));
  if (isTimeout(message))
    logger.debug?.('A timeout is discarded: its saga does not wait for it any more', {});
  else if (!flow.hooks.onSagaNotFound)
    logger.warn('A message is discarded: it starts no saga, and finds none', {});
}
