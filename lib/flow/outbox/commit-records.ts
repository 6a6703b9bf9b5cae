import { type Commit, type FollowingWrites, isEmpty } from '../../core/outbox/commit.ts';
import { type OutboxRecord, outboxWrite, unstored } from '../../core/outbox/record.ts';
import { combinedWrite } from '../../core/saga/combined-write.ts';
import type { OpenedSaga, SagaCheck, SagaDraft, SagaWrite } from '../../core/saga/saga-state.ts';
import type { OpenMessage, PreparedMessage } from '../attempt.ts';
import { assertLatest } from '../saga/open-saga.ts';
import { assertOngoing, recordContent, store } from '../store.ts';

/** Commits messages of one saga, each with its record if the outbox keeps any: as {@link Outbox.commit}. */
export async function commitRecords(
  messages: readonly PreparedMessage[],
  keepsLease = false,
): Promise<readonly OutboxRecord[]> {
  const allOpened = messages.map(({ opened }) => opened);
  const first = allOpened[0] as OpenMessage;
  const { flow, lease } = first;
  const { opened, saga } = await combinedSaga(allOpened, messages);
  if (opened.mayBeOld && saga === undefined) await assertLatest(first, opened);

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

/** The saga as its first message read it, and the combined write of all messages, if any changed it. */
export interface CombinedSaga {
  readonly opened: OpenedSaga;
  readonly saga: SagaWrite | SagaCheck | undefined;
}

/** Combines the writes of all messages. From here on the lease of the saga is no longer renewed. */
export async function combinedSaga(
  allOpened: readonly OpenMessage[],
  messages: readonly PreparedMessage[],
): Promise<CombinedSaga> {
  const { draft, lease } = allOpened[0] as OpenMessage & { readonly draft: SagaDraft };
  // Not before: an upload may take longer than a lease.
  if (lease) await lease.stopRenewing();
  assertOngoing(allOpened);
  const written = messages.flatMap(({ write }) => write ?? []);
  return { opened: draft.opened, saga: combinedWrite(draft.opened, written) };
}

/**
 * Commits one message. Without a saga there is nothing to combine, to check or to release.
 *
 * @param keepsLease as {@link Outbox.commit}
 */
export async function commitAlone(prepared: PreparedMessage, keepsLease = false): Promise<OutboxRecord> {
  const { opened } = prepared;
  const { outbox: to, ports } = opened.flow;
  if (opened.draft) return (await to.commit([prepared], keepsLease))[0] as OutboxRecord;
  const at = ports.clock.now();
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
  const outbox = flow.outbox.isKept ? outboxWrite(content) : undefined;
  const { transactionItems } = work;
  return { outbox, transactionItems, appended, folded, meter, record: outbox ?? unstored(content) };
}
