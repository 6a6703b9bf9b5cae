import type { OpenMessage, PreparedMessage } from '../../attempt/attempt.ts';
import { type Commit, type FollowingWrites, isEmpty } from '../../outbox/commit.ts';
import { type OutboxRecord, outboxWrite, unstored } from '../../outbox/record.ts';
import { assertLatest } from '../saga/open-saga.ts';
import { writeCommit } from '../write-commit.ts';
import { combinedSaga } from './combined-saga.ts';
import { recordContent } from './record-content.ts';

/** Commits messages of one saga, each with its record if the outbox keeps any: as {@link Outbox.commit}. */
export async function commitRecords(
  messages: readonly PreparedMessage[],
  keepsLease = false,
): Promise<readonly OutboxRecord[]> {
  const allOpened = messages.map(({ opened }) => opened);
  const first = allOpened[0] as OpenMessage;
  const { flow, lease } = first;
  const { openedSaga, saga } = await combinedSaga(allOpened, messages);
  if (openedSaga.mayBeOld && saga === undefined) await assertLatest(first, openedSaga);

  const at = flow.ports.clock.now();
  const writes = messages.map((message) => writesOf(message, at));
  const [{ record: _record, ...own }, ...following] = writes as [MessageOutput, ...MessageOutput[]];
  const ofOthers = following.length > 0 && { following };
  const commit: Commit = { saga, ...own, at, ...ofOthers };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await writeCommit(commit, allOpened);
  if (lease && !keepsLease && (saga === undefined || saga.kind === 'check')) await lease.release();
  return writes.map(({ record }) => record);
}

/** The writes of one message beside that of its saga, and its record. */
export interface MessageOutput extends FollowingWrites {
  readonly record: OutboxRecord;
}

export function writesOf({ opened, operations }: PreparedMessage, at: Date): MessageOutput {
  const { flow, work, meter, draft } = opened;
  const { appended, collected } = draft?.contributions ?? {};
  const content = recordContent(opened, operations, at);
  const outbox = flow.outbox.isKept ? outboxWrite(content) : undefined;
  const { transactionItems } = work;
  return { outbox, transactionItems, appended, collected, meter, record: outbox ?? unstored(content) };
}
