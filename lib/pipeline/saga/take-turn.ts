import type { Attempt, Flow } from '../../attempt/attempt.ts';
import type { BatchPlace } from '../../attempt/batch-place.ts';
import type { QueueEntry } from '../../attempt/saga-queue/queue-entry.ts';
import { settled } from '../../kernel/async/settle.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import type { CorrelatedMessage } from '../../saga/definition/define-saga.ts';
import { isAwaited } from '../../saga/is-awaited.ts';
import { findRecord } from '../outbox/find-record.ts';

/** The turn of a message among those of its saga. */
export interface Turn {
  readonly queueEntry: QueueEntry;
  /** The record, if the dedup check that was made while the message waited found one. */
  readonly record: OutboxRecord | undefined;
}

/**
 * Waits until it is the message's turn in its batch. If those ahead are going to be committed together with
 * it, its dedup check is made meanwhile, so that it shares a call with theirs.
 */
export async function takeTurn(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  batch: BatchPlace,
): Promise<Turn> {
  const { flow, received, meter, signal } = attempt;
  const { identity, message, starts } = correlated;
  // A message that SQS delivers again may be why its group was refused before: it is committed by itself.
  const mayShare = coalesces(flow) && !batch.isAlone && received.receiveCount <= 1;
  const sharing = mayShare ? sharedBy(flow, message.type) : undefined;
  const queueEntry = await batch.enterQueue(identity, received.id, sharing && flow.saga?.messages, signal);
  const request = { sharing, saga: identity, meter };
  const turn = batch.waitForTurn(queueEntry, request, signal);
  // With an embedded outbox, the item that the group has read is the dedup check.
  const record =
    queueEntry.mayFollow && !flow.outbox.isInSagaItem ? await early(attempt, queueEntry, turn) : undefined;
  await turn;
  const { group } = queueEntry;
  // A discard is decided on a committed saga.
  if (group && !isAwaited(message, group.base.stored, starts))
    await batch.waitForTurn(queueEntry, { ...request, needsCommitted: true }, signal);
  return { queueEntry, record };
}

/** Makes the dedup check during the wait. After an error, the check is made again at the message's turn. */
async function early(
  attempt: Attempt,
  queueEntry: QueueEntry,
  turn: Promise<void>,
): Promise<OutboxRecord | undefined> {
  const [found] = await Promise.all([settled(findRecord(attempt, queueEntry)), settled(turn)]);
  return found.status === 'fulfilled' ? found.value : undefined;
}

/**
 * The object that all messages of one group have in common; `undefined` for a message that shares none. A
 * message that appends holds no lease that others could rest on, and needs a committed saga. A message that
 * collects must find the committed values of those ahead of it.
 */
function sharedBy(flow: Flow, messageType: string): object | undefined {
  const { appendedBy, collectedBy } = flow.saga ?? {};
  if (collectedBy?.has(messageType)) return undefined;
  return appendedBy?.has(messageType) ? appendedBy : flow;
}

/** Whether commits are shared: without an outbox, messages handled again would have their effects again. */
function coalesces({ saga, outbox }: Flow): boolean {
  return outbox.isKept && saga !== undefined && saga.coalesce !== false;
}
