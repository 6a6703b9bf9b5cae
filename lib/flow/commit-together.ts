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
import type { CommitTerms, MessageSpan } from '../ports.ts';
import type { Attempt } from './attempt.ts';
import { assertLatest } from './saga/open-saga.ts';
import type { Transaction } from './transaction.ts';

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
 * @param keepsLease whether a lease that no write gives back is kept, for others that rest on it
 * @returns the record of each, to be dispatched
 */
export async function commitTogether(
  messages: readonly PreparedMessage[],
  keepsLease = false,
): Promise<readonly OutboxRecord[]> {
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
  const writes = messages.map((message) => writesOf(message, at));
  const [{ outbox, transactionItems }, ...following] = writes as [MessageOutput, ...MessageOutput[]];
  const ofOthers = following.length > 0 && { following };
  const commit: Commit = { saga, outbox, transactionItems, at, ...ofOthers };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await store(commit, transactions);
  if (lease && !keepsLease && (saga === undefined || saga.kind === 'check')) await lease.release();
  return writes.map(({ record }) => record);
}

/**
 * Writes what one message did. Without a saga there is nothing to combine, to check or to release.
 *
 * @param keepsLease as above
 */
export async function commitAlone(prepared: PreparedMessage, keepsLease = false): Promise<OutboxRecord> {
  const { transaction } = prepared;
  if (transaction.draft) return (await commitTogether([prepared], keepsLease))[0] as OutboxRecord;
  const at = transaction.flow.ports.clock.now();
  const { outbox, transactionItems, record } = writesOf(prepared, at);
  const commit: Commit = { saga: undefined, outbox, transactionItems, at };
  // Without a signal, as above.
  if (!isEmpty(commit)) await store(commit, [transaction]);
  return record;
}

interface MessageOutput extends FollowingWrites {
  readonly record: OutboxRecord;
}

function writesOf({ transaction, operations }: PreparedMessage, at: Date): MessageOutput {
  const { flow, work, meter } = transaction;
  const content = recordContent(transaction, operations, at);
  const outbox = flow.outbox ? outboxWrite(content) : undefined;
  return { outbox, transactionItems: work.transactionItems, meter, record: outbox ?? unstored(content) };
}

/** @param attempts at the messages of the commit */
export function store(commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  assertOngoing(attempts);
  const { span } = (attempts[0] as Attempt).delivery;
  return span ? storeWithin(span, commit, attempts) : write(commit, attempts);
}

function storeWithin(span: MessageSpan, commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  return span.commit(spansOf(attempts.slice(1)), () => write(commit, attempts));
}

function write(commit: Commit, attempts: readonly Attempt[]): Promise<void> {
  const { flow, delivery, meter } = attempts[0] as Attempt;
  const terms = attempts.length === 1 ? delivery : commonTerms(attempts);
  return flow.ports.committer.commit(commit, meter, terms);
}

function spansOf(attempts: readonly Attempt[]): readonly MessageSpan[] {
  return attempts.flatMap(({ delivery }) => delivery.span ?? []);
}

function commonTerms(attempts: readonly Attempt[]): CommitTerms {
  return {
    isFirstAttempt: attempts.every(({ delivery }) => delivery.isFirstAttempt),
    span: attempts[0]?.delivery.span,
    assertOngoing: () => assertOngoing(attempts),
    onMerge: (outcome, together) => attempts[0]?.delivery.onMerge(outcome, together),
  };
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
