import { settled } from '../../core/async/settle.ts';
import type { OutboxRecord } from '../../core/outbox/record.ts';
import type { CorrelatedMessage } from '../../core/saga/define-saga.ts';
import type { Attempt, Flow } from '../attempt.ts';
import type { BatchPlace } from '../batch/batch-place.ts';
import { findRecord } from '../outbox/find-record.ts';
import type { SagaPlace } from './saga-place.ts';
import { isAwaited } from './timeouts.ts';

/** The turn of a message among those of its saga. */
export interface Turn {
  readonly place: SagaPlace;
  /** If the dedup check that was made while the message waited found one. */
  readonly record: OutboxRecord | undefined;
}

/**
 * Waits until it is the message's turn in its batch. If those ahead are going to be committed together with it, its
 * dedup check is made meanwhile, so that it shares a call with theirs.
 */
export async function takeTurn(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  batch: BatchPlace,
): Promise<Turn> {
  const { flow, received, meter, signal } = attempt;
  const { identity, message, starts } = correlated;
  const mayShare = coalesces(flow) && !batch.isAlone && received.receiveCount <= 1;
  const sharing = mayShare ? sharedBy(flow, message.type) : undefined;
  const place = await batch.enterLine(identity, received.id, sharing && flow.saga?.messages, signal);
  const request = { sharing, saga: identity, meter };
  const turn = batch.waitForTurn(place, request, signal);
  // The item of the group tells it by itself.
  const record = place.mayFollow && !flow.outbox.isInSagaItem ? await early(attempt, place, turn) : undefined;
  await turn;
  const { group } = place;
  // Whether it is discarded is decided on what is committed.
  if (group && !isAwaited(message, group.base.stored, starts))
    await batch.waitForTurn(place, { ...request, needsCommitted: true }, signal);
  return { place, record };
}

/** An error of it says nothing yet: the check is made again, at the message's turn. */
async function early(
  attempt: Attempt,
  place: SagaPlace,
  turn: Promise<void>,
): Promise<OutboxRecord | undefined> {
  const [found] = await Promise.all([settled(findRecord(attempt, place)), settled(turn)]);
  return found.status === 'fulfilled' ? found.value : undefined;
}

/**
 * What those that a message may share a group with have in common. Who appends holds no lease that others could rest
 * on, and needs a saga that is committed; who collects must find what those ahead of it have committed.
 */
function sharedBy(flow: Flow, messageType: string): object | undefined {
  const { appendedBy, collectedBy } = flow.saga ?? {};
  if (collectedBy?.has(messageType)) return undefined;
  return appendedBy?.has(messageType) ? appendedBy : flow;
}

/** Without an outbox, messages that are handled again would have their effects again. */
function coalesces({ saga, outbox }: Flow): boolean {
  return outbox.isKept && saga !== undefined && saga.coalesce !== false;
}
