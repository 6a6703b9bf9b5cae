import { settled } from '../core/async/settle.ts';
import { replayOf } from '../core/incoming/envelope.ts';
import { differenceOf } from '../core/incoming/fingerprint.ts';
import { messageFacts, messageLogger } from '../core/incoming/message-logger.ts';
import type { OutboxRecord } from '../core/outbox/record.ts';
import { type OpenedSaga, SagaDraft } from '../core/saga/saga-state.ts';
import { changesState, type StateRules } from '../core/saga/state-versions.ts';
import type { SagaIdentity } from '../core/storage/keys.ts';
import type { Attempt, OpenMessage } from './attempt.ts';
import { discard } from './discard.ts';
import { dispatchAndMark } from './dispatch.ts';
import { readMessage } from './read-message.ts';
import { report, reportEvent } from './report.ts';
import { reusedId } from './reused-id.ts';
import { draftedBy } from './saga/contributions.ts';
import { HeldLease } from './saga/held-lease.ts';
import { isLatest } from './saga/open-saga.ts';
import { withCurrentState } from './saga/read-state.ts';
import type { SagaPlace } from './saga/saga-place.ts';
import { untilSentAhead } from './saga/sends-ahead.ts';
import { takeTurn } from './saga/take-turn.ts';
import { isAwaited } from './saga/timeouts.ts';
import { unitOfWork } from './work.ts';

/**
 * From a received message to its handler: which saga it belongs to, its turn in the line of that, dedup check, and the
 * saga, loaded or locked.
 *
 * @returns undefined if the handler need not run: the message is a duplicate, or no saga waits for it.
 */
export async function open(attempt: Attempt): Promise<OpenMessage | undefined> {
  const { flow, delivery, received, signal } = attempt;

  const reading = await settled(readMessage(attempt));
  const correlated = reading.status === 'fulfilled' ? reading.value.correlated : undefined;
  const identity = correlated?.identity;
  const { batch } = delivery;
  const turn = correlated && batch && (await takeTurn(attempt, correlated, batch));
  if (turn === undefined && batch?.isInOrder) await batch.waitInOrder(received.id, signal);
  // In a batch each wait ends with this.
  if (correlated && !batch) delivery.deadline.assertTimeToStart(received.id);

  signal.throwIfAborted();
  // Before it is looked up, which notes it anew.
  const wasCheckedBefore = turn?.place.isKnownAbsent === true;
  if (turn?.record) return await finish(attempt, turn.record, turn.place, identity);
  const group = turn?.place.group;
  const { found, opened } = await flow.outbox.lookUp(attempt, correlated, turn?.place);
  // In a group the first message has it. Else it is there without a lease too, and does nothing then.
  const lease = opened?.status === 'fulfilled' && !group ? new HeldLease(attempt, opened.value) : undefined;
  // It was locked to look into it, which a message that was handled before needs no longer.
  if (lease && (found.status === 'rejected' || found.value)) await lease.release();
  const outboxRecord = resultOf(found);
  // A committed message is dispatched even if its schema or its saga has changed since; one that only the item of a
  // saga knows, if its schema still takes it.
  if (outboxRecord) return await finish(attempt, outboxRecord, turn?.place, identity);

  const { message, body } = resultOf(reading);
  const saga = opened && resultOf(opened);
  if (saga && lease && !isAwaited(message, saga.stored, correlated?.starts))
    return await discard(attempt, message, saga, lease, wasCheckedBefore);
  if (saga?.mayBeOld && !group) delivery.result.restOnState(isLatest.bind(undefined, attempt, saga));
  const needsReading = saga?.stored && flow.saga && changesState(flow.saga, saga.stored.stateVersion);
  const current = needsReading ? await readState(attempt, flow.saga, saga, lease) : saga;
  const draft =
    flow.saga && current && new SagaDraft(current, flow.saga, draftedBy(attempt, message, current, body));
  // A handler that appends leaves the saga as it is: a type that a deployment moved there may have a timeout pending.
  if (!draft?.contributions?.leavesSaga) draft?.timeouts.remove(({ id }) => id === message.id);
  const work = unitOfWork(attempt, message, draft, body);
  const logger = identity
    ? messageLogger(flow.logger, messageFacts(flow.endpoint, message, identity))
    : attempt.logger;
  return { ...attempt, message, work, draft, lease, place: turn?.place, logger };
}

/** No transaction is there yet that would release the lease of a saga whose state cannot be read. */
async function readState(
  attempt: Attempt,
  rules: StateRules,
  saga: OpenedSaga,
  lease: HeldLease | undefined,
): Promise<OpenedSaga> {
  try {
    return await withCurrentState(attempt, rules, saga);
  } catch (error) {
    await lease?.release();
    throw error;
  }
}

/** Does what is left to do for a message that was committed before. */
async function finish(
  attempt: Attempt,
  outboxRecord: OutboxRecord,
  place?: SagaPlace,
  saga?: SagaIdentity,
): Promise<undefined> {
  place?.passOn();
  await assertSameMessage(attempt, outboxRecord);
  warnOfReplay(attempt);
  const { dispatched } = outboxRecord;
  if (!dispatched) {
    // It may have been committed in a group of this delivery, whose answer got lost.
    await untilSentAhead(attempt, place, outboxRecord);
    await dispatchAndMark(attempt.flow, outboxRecord, attempt);
  }
  return await report(attempt, dispatched ? 'duplicate' : 'redispatched', saga);
}

/**
 * Refuses an outbox record of another message type under the same id. Another body is a duplicate with a
 * warning: senders often add a timestamp or an attempt number to what they repeat.
 *
 * @throws SagaboxError `MessageIdReused`, before anything is done with the record
 */
async function assertSameMessage(attempt: Attempt, outboxRecord: OutboxRecord): Promise<void> {
  const { flow, received, fingerprint, logger } = attempt;
  const difference = outboxRecord.fingerprint && differenceOf(outboxRecord.fingerprint, fingerprint);
  if (difference === undefined) return;
  if (difference === 'type') throw await reusedId(attempt);
  logger.warn('A duplicate has another body than the message that was committed under its id', {});
  await reportEvent(flow.hooks, attempt, { type: 'bodyMismatch', ...messageFacts(flow.endpoint, received) });
}

/** Who replays an archive wants its events handled: they are told that these are not, once in an invocation. */
function warnOfReplay({ delivery: { warned }, received, logger }: Attempt): void {
  if (warned.has('replay')) return;
  const replayName = replayOf(received);
  if (replayName === undefined) return;
  warned.add('replay');
  logger.warn('Events of a replay are duplicates: handleReplays has them handled again', { replayName });
}

function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
