import type { Attempt, OpenMessage } from '../attempt/attempt.ts';
import { report, reportEvent } from '../attempt/report.ts';
import type { QueueEntry } from '../attempt/saga-queue/queue-entry.ts';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import { settled } from '../kernel/async/settle.ts';
import { replayOf } from '../messages/envelope.ts';
import { differenceOf } from '../messages/fingerprint.ts';
import type { IncomingMessage } from '../messages/message.ts';
import { messageFacts, messageLogger } from '../observe/logs/message-logger.ts';
import type { OutboxRecord } from '../outbox/record.ts';
import { isAwaited } from '../saga/is-awaited.ts';
import { SagaDraft } from '../saga/saga-draft.ts';
import type { OpenedSaga } from '../saga/saga-state.ts';
import { changesState, type StateRules } from '../saga/state-versions.ts';
import { discard } from './discard.ts';
import { dispatchAndMark } from './dispatch.ts';
import { readMessage } from './read-message.ts';
import { reusedId } from './reused-id.ts';
import { contributionsOrigin } from './saga/contributions-origin.ts';
import { HeldLease } from './saga/held-lease.ts';
import { isStateCurrent } from './saga/open-saga.ts';
import { withCurrentState } from './saga/read-state.ts';
import { untilSentAhead } from './saga/sends-ahead.ts';
import { takeTurn } from './saga/take-turn.ts';
import { unitOfWork } from './work.ts';

/**
 * Opens a received message for its handler: finds its saga, waits for its turn in the queue of the saga, makes
 * the dedup check, and loads or locks the saga.
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
  // In a batch, each wait ends with this check.
  if (correlated && !batch) delivery.deadline.assertTimeToStart(received.id);

  signal.throwIfAborted();
  // Read before the lookup, which notes the absence anew.
  const wasCheckedBefore = turn?.queueEntry.isKnownAbsent === true;
  if (turn?.record) return await finishCommitted(attempt, turn.record, turn.queueEntry, identity);
  const group = turn?.queueEntry.group;
  const { found, openedSaga } = await flow.outbox.lookUp(attempt, correlated, turn?.queueEntry);
  // In a group the first message holds the lease. Without a lease, a `HeldLease` does nothing.
  const lease =
    openedSaga?.status === 'fulfilled' && !group ? new HeldLease(attempt, openedSaga.value) : undefined;
  // A message that was handled before does not need the lease that the read of its saga took.
  if (lease && (found.status === 'rejected' || found.value)) await lease.release();
  const outboxRecord = resultOf(found);
  // A committed message is dispatched even if its schema or its saga has changed since. If only the item of a
  // saga knows the message, its schema still has to accept it.
  if (outboxRecord) return await finishCommitted(attempt, outboxRecord, turn?.queueEntry, identity);

  const { message, body } = resultOf(reading);
  const saga = openedSaga && resultOf(openedSaga);
  if (saga && lease && !isAwaited(message, saga.stored, correlated?.starts))
    return await discard(attempt, message, saga, lease, wasCheckedBefore);
  if (saga?.mayBeOld && !group)
    delivery.result.noteStateMayBeOld(isStateCurrent.bind(undefined, attempt, saga));
  const needsReading = saga?.stored && flow.saga && changesState(flow.saga, saga.stored.stateVersion);
  const current = needsReading ? await readState(attempt, flow.saga, saga, lease) : saga;
  const draft = current && draftFor(attempt, message, current, body);
  const work = unitOfWork(attempt, message, draft, body);
  const logger = identity
    ? messageLogger(flow.logger, messageFacts(flow.endpoint, message, identity))
    : attempt.logger;
  return { ...attempt, message, work, draft, lease, queueEntry: turn?.queueEntry, logger };
}

/** Makes the draft of a saga, without the timeout that this message is. */
function draftFor(
  attempt: Attempt,
  message: IncomingMessage,
  openedSaga: OpenedSaga,
  body: unknown,
): SagaDraft | undefined {
  const { saga } = attempt.flow;
  if (saga === undefined) return undefined;
  const draft = new SagaDraft(openedSaga, saga, contributionsOrigin(attempt, message, openedSaga, body));
  // A handler that appends leaves the saga as it is, also a timeout that was pending when a deployment made
  // its type append.
  if (!draft.contributions?.leavesSaga) draft.timeouts.remove(({ id }) => id === message.id);
  return draft;
}

/** Reads the state. Releases the lease if that fails: there is no open message yet that would do so. */
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
async function finishCommitted(
  attempt: Attempt,
  outboxRecord: OutboxRecord,
  queueEntry?: QueueEntry,
  saga?: SagaIdentity,
): Promise<undefined> {
  queueEntry?.passOn();
  await assertSameMessage(attempt, outboxRecord);
  warnOfReplay(attempt);
  const { dispatched } = outboxRecord;
  if (!dispatched) {
    // The message may have been committed in a group of this delivery, if the answer got lost.
    await untilSentAhead(attempt, queueEntry, outboxRecord);
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

/** Warns the user of a replay, once in an invocation, that its events are duplicates and not handled. */
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
