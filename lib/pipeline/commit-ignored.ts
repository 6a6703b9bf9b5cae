import type { Attempt } from '../attempt/attempt.ts';
import { isCommitConflict } from '../attempt/saga-queue/commit-refusal.ts';

/** The limit of tries: concurrent commits of the same saga can refuse some of them. */
const MAX_TRIES = 5;

/**
 * Stores an ignored message, as {@link Outbox.commitEmpty} does.
 *
 * @throws SagaboxError `DuplicateMessage` if it is committed
 */
export async function commitIgnored(attempt: Attempt): Promise<void> {
  const { outbox } = attempt.flow;
  // The signal of the attempt may be aborted: its time may be up.
  const { signal } = new AbortController();
  const untimed = { ...attempt, signal };
  for (let tries = 1; ; tries += 1) {
    try {
      return await outbox.commitEmpty(attempt, await outbox.openIgnored(untimed));
    } catch (error) {
      if (tries === MAX_TRIES || !isCommitConflict(error)) throw error;
      attempt.delivery.assertOngoing();
    }
  }
}
