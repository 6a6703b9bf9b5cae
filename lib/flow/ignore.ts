import { settled } from '../core/async/settle.ts';
import { isRetryable, SagaboxError } from '../core/failures/errors.ts';
import type { OpenedSaga } from '../core/saga/saga-state.ts';
import type { SagaIdentity } from '../core/storage/keys.ts';
import type { Attempt } from './attempt.ts';
import { commitEmptyRecord } from './complete.ts';
import { readMessage } from './read-message.ts';
import { isCommitConflict } from './saga/commit-refusal.ts';
import { findHandled } from './saga/look-up.ts';
import { taken } from './saga/open-saga.ts';

/** Others of its saga are at work beside it. */
const MAX_TRIES = 5;

/**
 * Commits that a message is ignored, as {@link commitEmptyRecord} does.
 *
 * @throws SagaboxError `DuplicateMessage` if it is committed
 */
export async function commitIgnored(attempt: Attempt): Promise<void> {
  // What failed may be that its time is up.
  const { signal } = new AbortController();
  const untimed = { ...attempt, signal };
  for (let tries = 1; ; tries += 1) {
    try {
      return await commitEmptyRecord(attempt, await committableSaga(untimed));
    } catch (error) {
      if (tries === MAX_TRIES || !isCommitConflict(error)) throw error;
      attempt.delivery.assertOngoing();
    }
  }
}

/** Of one with an embedded outbox, the item keeps it. */
async function committableSaga(attempt: Attempt): Promise<OpenedSaga | undefined> {
  const { flow, received, meter } = attempt;
  if (flow.embedded === undefined) return undefined;
  const identity = await sagaOf(attempt);
  if (identity === undefined) return undefined;
  const loaded = await flow.ports.sagas.load(identity, meter, 'all');
  const opened = taken(attempt, { identity, lease: undefined, ...loaded });
  // The answer may come when the message was returned.
  attempt.delivery.assertOngoing();
  const record = await findHandled(attempt, opened);
  if (record === undefined) return opened;
  throw new SagaboxError('DuplicateMessage', { endpoint: flow.endpoint, messageId: received.id });
}

/**
 * A message that cannot be read belongs to no saga. One that cannot be read now may have been committed in a saga
 * before.
 *
 * @throws SagaboxError that is retryable
 */
async function sagaOf(attempt: Attempt): Promise<SagaIdentity | undefined> {
  const { saga } = attempt.delivery;
  if (saga) return saga;
  const reading = await settled(readMessage(attempt));
  if (reading.status === 'fulfilled') return reading.value.correlated?.identity;
  if (isRetryable(reading.reason)) throw reading.reason;
  return undefined;
}
