import type { Outbox, PreparedMessage } from '../attempt/attempt.ts';
import { HandledAgain } from '../attempt/handled-again.ts';
import { mayBeOfOne } from '../attempt/saga-queue/commit-refusal.ts';
import type { GroupMember, GroupOutcome } from '../attempt/saga-queue/saga-group.ts';
import { settled } from '../kernel/async/settle.ts';
import { SharedDraw } from '../kernel/async/shared-draw.ts';
import { failureCode } from '../messages/failures/failure-facts.ts';
import type { SagaDraft } from '../saga/saga-draft.ts';
import { commitAlone } from './outbox/commit-alone.ts';

/** A member as `groupMember` makes it: a group has no others. */
interface PreparedMember extends GroupMember {
  readonly prepared: PreparedMessage;
}

/** @param sharing the object that all messages of one group have in common */
export function groupMember(prepared: PreparedMessage, draft: SagaDraft, sharing: object): PreparedMember {
  const { opened, write } = prepared;
  const { flow, delivery, received, meter, work } = opened;
  const { clock, committer } = flow.ports;
  return {
    prepared,
    messageId: received.id,
    meter,
    openedSaga: draft.openedSaga,
    write,
    endsSaga: draft.isCompleted,
    writeCount: 1 + work.transactionItems.length,
    terms: {
      sharing,
      clock,
      committer,
      leaseDurationMs: flow.leases?.settings.leaseDurationMs,
      onStartMargin: (callback, atMostMs) => delivery.deadline.onStartMargin(callback, atMostMs),
      commit: (members) => commitGroup((members as readonly PreparedMember[]).map((each) => each.prepared)),
    },
  };
}

async function commitGroup(messages: readonly PreparedMessage[]): Promise<readonly GroupOutcome[]> {
  const [first, ...others] = messages;
  if (first === undefined) return [];
  if (others.length === 0) return [await settled(commitAlone(first))];
  const { outbox } = first.opened.flow;
  const isWritten = outbox.isInSagaItem || messages.some(({ write }) => write !== undefined);
  return isWritten ? await commitShared(outbox, messages) : await commitUnwritten(messages);
}

/**
 * Commits each message by itself if none writes the saga: that costs half as much, and a message then rests
 * on nothing of the others except the lease of the first one.
 */
async function commitUnwritten(messages: readonly PreparedMessage[]): Promise<readonly GroupOutcome[]> {
  const isInOrder = messages.some(({ opened }) => opened.delivery.batch?.isInOrder);
  const outcomes = isInOrder ? await commitInOrder(messages) : await Promise.all(messages.map(settledAlone));
  // If the first message failed, the end of its attempt releases the lease.
  if (outcomes[0]?.status === 'fulfilled') await messages[0]?.opened.lease?.release();
  return outcomes;
}

/** Commits the messages of a FIFO group one after another: none is committed before those ahead of it. */
async function commitInOrder(messages: readonly PreparedMessage[]): Promise<readonly GroupOutcome[]> {
  const outcomes: GroupOutcome[] = [];
  for (const message of messages) {
    const hasFailed = outcomes.some(({ status }) => status === 'rejected');
    outcomes.push(hasFailed ? rejected(behindFailed(message)) : await settledAlone(message));
  }
  return outcomes;
}

/** Commits one message, and keeps the lease for the others. */
function settledAlone(message: PreparedMessage): Promise<GroupOutcome> {
  return settled(commitAlone(message, true));
}

/**
 * Commits the messages together. After a refusal that one of them may have caused, each is handled by itself,
 * and that one alone fails. After any other failure, such as a conflict, they are handled again together,
 * after one delay; in a FIFO group those behind the first one wait for its outcome.
 */
async function commitShared(
  outbox: Outbox,
  messages: readonly PreparedMessage[],
): Promise<readonly GroupOutcome[]> {
  const committed = await settled(outbox.commit(messages));
  if (committed.status === 'fulfilled')
    return committed.value.map((value) => ({ status: 'fulfilled', value }));
  const { reason } = committed;
  const backoffDraw = new SharedDraw();
  return messages.map((message, index) => {
    const { delivery, received } = message.opened;
    if (mayBeOfOne(reason)) return rejected(refusedTogether(received.id, reason));
    if (delivery.batch?.isInOrder && index > 0) return rejected(behindFailed(message, reason));
    delivery.result.backOffWith(backoffDraw);
    return rejected(reason);
  });
}

function rejected(reason: unknown): GroupOutcome {
  return { status: 'rejected', reason };
}

function refusedTogether(messageId: string, cause: unknown): HandledAgain {
  const reason = `its commit together with others of its saga was refused (${failureCode(cause)})`;
  return new HandledAgain(messageId, reason, { isAlone: true, cause });
}

function behindFailed({ opened }: PreparedMessage, cause?: unknown): HandledAgain {
  const reason = 'a message ahead of it in its FIFO group was not committed';
  return new HandledAgain(opened.received.id, reason, { cause });
}
