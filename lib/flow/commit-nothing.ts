import { type Commit, outboxWrite } from '../core/outbox/commit.ts';
import type { SagaCheck } from '../core/saga/saga-state.ts';
import type { Attempt } from './attempt.ts';

/**
 * Stores an empty record as dispatched, for a message that is discarded or ignored. Another delivery of the
 * message that is still in its handler can then not commit after this one is acknowledged.
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
  // Without a signal: an abandoned commit may still succeed, and the next delivery is a duplicate.
  await ports.committer.commit(commit, meter);
}
