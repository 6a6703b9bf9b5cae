import { type Commit, outboxWrite } from '../core/outbox/commit.ts';
import type { SagaCheck } from '../core/saga/saga-state.ts';
import type { Attempt } from './attempt.ts';

/**
 * Ends a message that has no effect, because no saga waits for it or a policy ignores it: with an empty
 * record, which is stored as dispatched. Without it, another delivery of the message that is still in its
 * handler could commit after this one was acknowledged, and nobody would send what it stored.
 *
 * Without an outbox no record can exist: nothing is written.
 *
 * @param saga what the decision rests on
 * @throws SagaboxError `DuplicateMessage` when the message has a record, `SagaConcurrency` when the saga is
 *   not as it was read
 */
export async function commitNothing(attempt: Attempt, saga?: SagaCheck): Promise<void> {
  const { flow, delivery, fingerprint, meter } = attempt;
  const { endpoint, relayIndex, ports } = flow;
  if (!flow.outbox) return;
  const at = ports.clock.now();
  const messageId = attempt.received.id;
  const content = { endpoint, messageId, operations: [], storedAt: at, fingerprint, relayIndex };
  const commit: Commit = { saga, outbox: outboxWrite(content), transactionItems: [], at };
  delivery.assertOngoing();
  // It takes no signal: one that is waited for no longer may still be written, and then the next delivery is
  // a duplicate.
  await ports.committer.commit(commit, meter);
}
