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
 * @returns the record of each, to be dispatched
 */
export async function commitTogether(messages: readonly PreparedMessage[]): Promise<readonly OutboxRecord[]> {
  const first = (messages[0] as PreparedMessage).transaction;
  const { flow, draft, lease } = first;
  // Not before: an upload may take longer than a lease.
  await lease?.stopRenewing();
  for (const { transaction } of messages) transaction.delivery.assertOngoing();
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
  const { meter, ...writesOfOwn } = own as FollowingWrites;
  const commit: Commit = { ...writesOfOwn, saga, at, ...(following.length > 0 && { following }) };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await flow.ports.committer.commit(commit, meter);
  if (saga === undefined || saga.kind === 'check') await lease?.release();
  return contents.map((content, index) => outboxes[index] ?? unstored(content));
}

export function recordContent(
  { flow: { endpoint, relayIndex }, received, fingerprint }: Attempt,
  operations: readonly OutgoingOperation[],
  storedAt: Date,
): RecordContent {
  return { endpoint, messageId: received.id, operations, storedAt, fingerprint, relayIndex };
}
