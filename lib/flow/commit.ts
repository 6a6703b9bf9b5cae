import type { OutgoingOperation } from '../core/incoming/message.ts';
import { type Commit, isEmpty, outboxWrite, type RecordContent, unstored } from '../core/outbox/commit.ts';
import type { SagaCheck } from '../core/saga/saga-state.ts';
import { withSagaVersion, writtenVersion } from '../core/saga/saga-version.ts';
import type { CommitTerms } from '../ports.ts';
import type { Attempt } from './attempt.ts';
import { dispatchAndMark } from './dispatch.ts';
import { report, reportMetric } from './report.ts';
import { assertLatest } from './saga/open-saga.ts';
import { assertTimeoutsReturn } from './saga/timeouts.ts';
import { storeBodies, type Transaction } from './transaction.ts';

const mergeMetrics = { merged: 'commitsMerged', refused: 'mergesRefused' } as const;

/** From a handler that returned to a message that may be acknowledged: commit, dispatch, mark. */
export async function commit(transaction: Transaction): Promise<void> {
  const { flow, delivery, work, draft, lease, signal, logger, meter } = transaction;
  if (draft?.isCompleted) work.cancelTimeouts();
  work.seal();
  draft?.seal();
  const write = draft?.write();
  // A snapshot at once: changes by code of the handler that nobody awaited reach no commit.
  const saga = write && flow.ports.committer.keep(write);
  // What has nothing to wait for is not awaited: each await costs time and garbage for every message.
  if (work.isSending) {
    for (const error of await work.settle(signal))
      logger.error('A message was not sent immediately', { error });
  }
  if (draft) await assertTimeoutsReturn(transaction, draft);
  const { claimChecks } = flow.ports;
  const stored = claimChecks ? await storeBodies(transaction, work.operations) : work.operations;
  // Not before: an upload may take longer than a lease.
  if (lease) await lease.stopRenewing();
  delivery.assertOngoing();
  const operations = withSagaVersion(stored, saga && writtenVersion(saga));
  if (draft?.opened.mayBeOld && saga === undefined) await assertLatest(transaction, draft.opened);

  const at = flow.ports.clock.now();
  const content = recordContent(transaction, operations, at);
  const outbox = flow.outbox ? outboxWrite(content) : undefined;
  const writes: Commit = { saga, outbox, transactionItems: work.transactionItems, at };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(writes)) await store(transaction, writes);
  delivery.assertOngoing();
  if (lease && saga === undefined) await lease.release();
  if (operations.length > 0) {
    // Without an outbox record a retry runs the handler again, so its messages do not count as sent.
    await dispatchAndMark(flow, outbox ?? unstored(content), {
      meter,
      signal,
      ...(outbox && { delivery }),
    });
  }
  await report(transaction, 'handled', draft?.identity);
}

/**
 * Stores an empty outbox record as dispatched, for a message that is discarded or ignored. Another delivery
 * of the message that is still in its handler can then not commit after this one is acknowledged.
 *
 * Without an outbox no record can exist, and none is written.
 *
 * @param saga what the decision rests on
 * @throws SagaboxError `DuplicateMessage` when the message has a record, `SagaConcurrency` when the saga is
 *   not as it was read
 */
export async function commitEmptyRecord(attempt: Attempt, saga?: SagaCheck): Promise<void> {
  const { flow, delivery } = attempt;
  if (!flow.outbox) return;
  const at = flow.ports.clock.now();
  const writes: Commit = {
    saga,
    outbox: outboxWrite(recordContent(attempt, [], at)),
    transactionItems: [],
    at,
  };
  delivery.assertOngoing();
  // Without a signal: an abandoned commit may still succeed, and the next delivery is a duplicate.
  await store(attempt, writes);
}

async function store(attempt: Attempt, writes: Commit): Promise<void> {
  const { flow, delivery, meter } = attempt;
  const merges: Parameters<NonNullable<CommitTerms['onMerge']>>[0][] = [];
  const terms: CommitTerms = {
    isFirstAttempt: delivery.isFirstAttempt,
    assertOngoing: () => delivery.assertOngoing(),
    onMerge: (outcome) => void merges.push(outcome),
  };
  try {
    await flow.ports.committer.commit(writes, meter, terms);
  } finally {
    if (!delivery.isOver)
      for (const outcome of merges) await reportMetric(attempt, mergeMetrics[outcome], 'Count', 1);
  }
}

function recordContent(
  { flow: { endpoint, relayIndex, recordForm }, received, fingerprint }: Attempt,
  operations: readonly OutgoingOperation[],
  storedAt: Date,
): RecordContent {
  return {
    endpoint,
    messageId: received.id,
    operations,
    storedAt,
    fingerprint,
    relayIndex,
    form: recordForm,
  };
}
