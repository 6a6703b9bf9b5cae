import type { Attempt } from './attempt.ts';
import { isCommitConflict } from './saga/commit-refusal.ts';

/** Others of its saga are at work beside it. */
const MAX_TRIES = 5;

/**
 * Commits that a message is ignored, as {@link Outbox.commitEmpty} does.
 *
 * @throws SagaboxError `DuplicateMessage` if it is committed
 */
export async function commitIgnored(attempt: Attempt): Promise<void> {
  const { outbox } = attempt.flow;
  // What failed may be that its time is up.
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
