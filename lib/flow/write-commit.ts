import type { Commit } from '../core/commit.ts';
import { type ErrorCode, isSagaboxError } from '../core/errors.ts';
import type { Attempt } from './attempt.ts';

/** The errors of a commit that may have been written all the same; so may one with an error that is not ours. */
const unanswered: ReadonlySet<ErrorCode> = new Set(['TableCallFailed', 'Throttled']);

/**
 * Writes a commit, and notes what is known of it. It takes no signal: a commit that is waited for no longer may still be written, and the
 * next delivery of its message finds the record, and dispatches what is left.
 */
export async function writeCommit({ flow, delivery, meter }: Attempt, commit: Commit): Promise<void> {
  if (flow.outbox) delivery.commit = 'unknown';
  try {
    await flow.ports.committer.commit(commit, meter);
  } catch (error) {
    if (flow.outbox && isSagaboxError(error) && !unanswered.has(error.code)) delivery.commit = 'uncommitted';
    throw error;
  }
  if (flow.outbox) delivery.commit = 'committed';
}
