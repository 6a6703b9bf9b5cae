import type { OutgoingOperation } from '../core/incoming/message.ts';
import {
  type Commit,
  type FollowingWrites,
  isEmpty,
  type OutboxRecord,
  outboxWrite,
  type RecordContent,
  unstored,
} from '../core/outbox/commit.ts';
import { combinedWrite } from '../core/saga/combined-write.ts';
import type { SagaWrite } from '../core/saga/saga-state.ts';
import type { CommitTerms } from '../ports.ts';
import type { Attempt } from './attempt.ts';
import { reportMetric } from './report.ts';
import { assertLatest } from './saga/open-saga.ts';
import type { Transaction } from './transaction.ts';

const mergeMetrics = { merged: 'commitsMerged', refused: 'mergesRefused' } as const;

/** What a handler that returned leaves to be committed. */
export interface PreparedMessage {
  readonly transaction: Transaction;
  /** Of what it was given, which an earlier message of its group may have left. */
  readonly write: SagaWrite | undefined;
  readonly operations: readonly OutgoingOperation[];
}

/**
 * Writes what messages of one saga did, each behind the one before it, or nothing.
 *
 * @param messages of which the first one has read the saga, and holds its lease
 * @returns the record of each, to be dispatched
 */
export async function commitTogether(messages: readonly PreparedMessage[]): Promise<readonly OutboxRecord[]> {
  const transactions = messages.map(({ transaction }) => transaction);
  const first = transactions[0] as Transaction;
  const { flow, draft, lease } = first;
  // Not before: an upload may take longer than a lease.
  if (lease) await lease.stopRenewing();
  assertOngoing(transactions);
  const written = messages.flatMap(({ write }) => write ?? []);
  const saga = draft && combinedWrite(draft.opened, written);
  if (draft?.opened.mayBeOld && saga === undefined) await assertLatest(first, draft.opened);

  const at = flow.ports.clock.now();
  const contents = messages.map(({ transaction, operations }) => recordContent(transaction, operations, at));
  const outboxes = contents.map((content) => (flow.outbox ? outboxWrite(content) : undefined));
  const [own, ...following] = messages.map(({ transaction }, index) => ({
    outbox: outboxes[index],
    transactionItems: transaction.work.transactionItems,
    meter: transaction.meter,
  }));
  const { meter: _meter, ...writesOfOwn } = own as FollowingWrites;
  const commit: Commit = { ...writesOfOwn, saga, at, ...(following.length > 0 && { following }) };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await store(commit, transactions);
  if (lease && (saga === undefined || saga.kind === 'check')) await lease.release();
  return contents.map((content, index) => outboxes[index] ?? unstored(content));
}

/**
 * Carries out a commit, and tells whether it shared a call with those of others.
 *
 * @param attempts at its messages
 */
export async function store(commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  const first = attempts[0] as Attempt;
  const merges: Parameters<NonNullable<CommitTerms['onMerge']>>[0][] = [];
  const terms: CommitTerms = {
    isFirstAttempt: attempts.every(({ delivery }) => delivery.isFirstAttempt),
    assertOngoing: () => assertOngoing(attempts),
    onMerge: (outcome) => void merges.push(outcome),
  };
  assertOngoing(attempts);
  try {
    await first.flow.ports.committer.commit(commit, first.meter, terms);
  } finally {
    if (!first.delivery.isOver)
      for (const outcome of merges) await reportMetric(first, mergeMetrics[outcome], 'Count', 1);
  }
}

function assertOngoing(attempts: readonly Attempt[]): void {
  for (const { delivery } of attempts) delivery.assertOngoing();
}

export function recordContent(
  { flow: { endpoint, relayIndex, recordForm: form }, received, fingerprint }: Attempt,
  operations: readonly OutgoingOperation[],
  storedAt: Date,
): RecordContent {
  return { endpoint, messageId: received.id, operations, storedAt, fingerprint, relayIndex, form };
}
