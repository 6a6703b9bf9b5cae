import { settled } from '../core/async/settle.ts';
import { SharedDraw } from '../core/async/shared-draw.ts';
import { failureCode } from '../core/failures/failure-facts.ts';
import type { SagaDraft } from '../core/saga/saga-state.ts';
import type { Outbox, PreparedMessage } from './attempt.ts';
import { HandledAgain } from './handled-again.ts';
import { commitAlone } from './outbox/commit-records.ts';
import { mayBeOfOne } from './saga/commit-refusal.ts';
import type { GroupMember, GroupOutcome } from './saga/saga-group.ts';

/** All members of a group are made here. */
interface PreparedMember extends GroupMember {
  readonly prepared: PreparedMessage;
}

/** @param sharing what it has in common with those that it may share a group with */
export function groupMember(prepared: PreparedMessage, draft: SagaDraft, sharing: object): PreparedMember {
  const { opened, write } = prepared;
  const { flow, delivery, received, meter, work } = opened;
  const { clock, committer } = flow.ports;
  return {
    prepared,
    messageId: received.id,
    meter,
    opened: draft.opened,
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
 * Without a write of the saga each is committed at half the price, and rests on nothing that others did but
 * on the lease of the first one.
 */
async function commitUnwritten(messages: readonly PreparedMessage[]): Promise<readonly GroupOutcome[]> {
  const isInOrder = messages.some(({ opened }) => opened.delivery.batch?.isInOrder);
  const outcomes = isInOrder ? await commitInOrder(messages) : await Promise.all(messages.map(settledAlone));
  // If the first one failed, the end of its attempt gives it back.
  if (outcomes[0]?.status === 'fulfilled') await messages[0]?.opened.lease?.release();
  return outcomes;
}

/** In a FIFO group none is committed before those ahead of it. */
async function commitInOrder(messages: readonly PreparedMessage[]): Promise<readonly GroupOutcome[]> {
  const outcomes: GroupOutcome[] = [];
  for (const message of messages) {
    const hasFailed = outcomes.some(({ status }) => status === 'rejected');
    outcomes.push(hasFailed ? rejected(behindFailed(message)) : await settledAlone(message));
  }
  return outcomes;
}

/** The lease is kept. */
function settledAlone(message: PreparedMessage): Promise<GroupOutcome> {
  return settled(commitAlone(message, true));
}

/**
 * After a conflict the messages are handled again together, after one delay. For any other refusal one of
 * them may be the cause: each is handled by itself, and that one alone fails. In a FIFO group those behind the
 * first one wait for what becomes of it.
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
