import { beforeAbort } from '../core/async/before-abort.ts';
import { settled } from '../core/async/settle.ts';
import { messageFacts, messageLogger } from '../core/incoming/message-logger.ts';
import type { OutboxRecord } from '../core/outbox/commit.ts';
import { SagaDraft } from '../core/saga/saga-state.ts';
import type { SagaIdentity } from '../core/storage/keys.ts';
import { assertSameMessage } from './assert-same-message.ts';
import type { Attempt, Handling } from './attempt.ts';
import { discard } from './discard.ts';
import { dispatchAndMark } from './dispatch-and-mark.ts';
import { readMessage } from './read-message.ts';
import { report } from './report.ts';
import { HeldLease } from './saga/held-lease.ts';
import { openSaga } from './saga/open-saga.ts';
import { isTimeout, waitsFor } from './saga/timeouts.ts';
import { unitOfWork } from './unit-of-work.ts';

/**
 * From a received message to its handler: dedup check, and the saga: correlated, and loaded or locked.
 *
 * @returns undefined when the handler need not run: the message is a duplicate, or no saga waits for it.
 */
export async function begin(attempt: Attempt): Promise<Handling | undefined> {
  const { flow, delivery, received, meter, signal } = attempt;
  const { outbox } = flow.ports;

  const reading = await settled(readMessage(attempt));
  const correlated = reading.status === 'fulfilled' ? reading.value.correlated : undefined;
  const identity = correlated?.identity;
  if (identity) await delivery.takeTurn(identity, received.id, signal);

  signal.throwIfAborted();
  // An abandoned read has no effect.
  const finding = beforeAbort(outbox.find(received.id, meter), signal);
  const opening = correlated && settled(openSaga(attempt, correlated, finding));
  const found = await settled(finding);
  const opened = await opening;
  const record = resultOf(found);
  // A committed message is dispatched even if its schema or its saga has changed since.
  if (record) return await finish(attempt, record, identity);

  const { message } = resultOf(reading);
  const saga = opened && resultOf(opened);
  const lease = saga && new HeldLease(attempt, saga);
  const isAwaited = isTimeout(message) ? waitsFor(message, saga?.stored) : correlated?.starts || saga?.stored;
  if (saga && !isAwaited) return await discard(attempt, message, saga, lease);
  const draft = flow.saga && saga && new SagaDraft(saga, flow.saga.initialState);
  draft?.timeouts.remove(({ id }) => id === message.id);
  const work = unitOfWork(attempt, message, draft);
  const logger = identity
    ? messageLogger(flow.logger, messageFacts(flow.endpoint, message, identity))
    : attempt.logger;
  return { ...attempt, message, work, draft, lease, logger };
}

/** Does what is left to do for a message that was committed before. */
async function finish(attempt: Attempt, record: OutboxRecord, saga?: SagaIdentity): Promise<undefined> {
  await assertSameMessage(attempt, record);
  if (!record.dispatched) await dispatchAndMark(attempt.flow, record, attempt);
  return await report(attempt, record.dispatched ? 'duplicate' : 'redispatched', saga);
}

function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
