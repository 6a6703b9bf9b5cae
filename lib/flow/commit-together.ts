import type { OutgoingOperation } from '../core/incoming/message.ts';
import { type Commit, type FollowingWrites, isEmpty } from '../core/outbox/commit.ts';
import { type OutboxRecord, outboxWrite, unstored } from '../core/outbox/record.ts';
import { combinedWrite } from '../core/saga/combined-write.ts';
import type { SagaWrite } from '../core/saga/saga-state.ts';
import { commitEmbedded } from './commit-embedded.ts';
import type { OpenMessage } from './open-message.ts';
import { assertLatest } from './saga/open-saga.ts';
import { assertOngoing, recordContent, store } from './store.ts';

/** What a handler that returned leaves to be committed. */
export interface PreparedMessage {
  readonly opened: OpenMessage;
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
  const allOpened = messages.map(({ opened }) => opened);
  const first = allOpened[0] as OpenMessage;
  const { flow, draft, lease } = first;
  // Not before: an upload may take longer than a lease.
  if (lease) await lease.stopRenewing();
  assertOngoing(allOpened);
  const written = messages.flatMap(({ write }) => write ?? []);
  const saga = draft && combinedWrite(draft.opened, written);
  if (flow.embedded && draft) {
    const outputs = messages.map(({ opened: attempt, operations }) => {
      return { attempt, operations, transactionItems: attempt.work.transactionItems };
    });
    return await commitEmbedded(flow.embedded, draft.opened, saga, outputs);
  }
  if (draft?.opened.mayBeOld && saga === undefined) await assertLatest(first, draft.opened);

  const at = flow.ports.clock.now();
  const writes = messages.map((message) => writesOf(message, at));
  const [{ record: _record, ...own }, ...following] = writes as [MessageOutput, ...MessageOutput[]];
  const ofOthers = following.length > 0 && { following };
  const commit: Commit = { saga, ...own, at, ...ofOthers };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await store(commit, allOpened);
  if (lease && !keepsLease && (saga === undefined || saga.kind === 'check')) await lease.release();
  return writes.map(({ record }) => record);
}

/**
 * Writes what one message did. Without a saga there is nothing to combine, to check or to release.
 *
 * @param keepsLease as above
 */
export async function commitAlone(prepared: PreparedMessage, keepsLease = false): Promise<OutboxRecord> {
  const { opened } = prepared;
  if (opened.draft) return (await commitTogether([prepared], keepsLease))[0] as OutboxRecord;
  const at = opened.flow.ports.clock.now();
  const { outbox, transactionItems, record } = writesOf(prepared, at);
  const commit: Commit = { saga: undefined, outbox, transactionItems, at };
  // Without a signal, as above.
  if (!isEmpty(commit)) await store(commit, [opened]);
  return record;
}

interface MessageOutput extends FollowingWrites {
  readonly record: OutboxRecord;
}

function writesOf({ opened, operations }: PreparedMessage, at: Date): MessageOutput {
  const { flow, work, meter, draft } = opened;
  const { appended, folded } = draft?.contributions ?? {};
  const content = recordContent(opened, operations, at);
  const outbox = flow.outbox ? outboxWrite(content) : undefined;
  const { transactionItems } = work;
  return { outbox, transactionItems, appended, folded, meter, record: outbox ?? unstored(content) };
}
