import type { Attempt, Lookup } from '../../attempt/attempt.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import { settled } from '../../kernel/async/settle.ts';
import { isRetryable, SagaboxError } from '../../kernel/errors/errors.ts';
import { embeddedItem } from '../../outbox/embedded/embedded-item.ts';
import { findInItem, handledRecord } from '../../outbox/embedded/find-in-item.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import type { CorrelatedMessage } from '../../saga/definition/define-saga.ts';
import { isExpired } from '../../saga/item/saga-item.ts';
import type { OpenedSaga } from '../../saga/saga-state.ts';
import { readMessage } from '../read-message.ts';
import { reusedId } from '../reused-id.ts';
import { ofOwnForm, openSaga } from '../saga/open-saga.ts';

/** Makes the dedup check and loads the saga, with one read of its item. */
export async function lookUpInItem(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  base: OpenedSaga | undefined,
): Promise<Lookup> {
  const none = Promise.resolve(undefined);
  const openedSaga = await settled(base ? Promise.resolve(base) : openSaga(attempt, correlated, none));
  const finding = openedSaga.status === 'fulfilled' ? findHandled(attempt, openedSaga.value) : none;
  return { found: await settled(finding), openedSaga };
}

/**
 * Finds the record of a message that its saga has handled before, by the saga's item.
 *
 * @throws SagaboxError `MessageIdReused`, `SagaOfOtherEndpoint`, `IncompleteOutboxRecord`; the errors of the
 *   read of its record
 */
async function findHandled(attempt: Attempt, openedSaga: OpenedSaga): Promise<OutboxRecord | undefined> {
  const { flow, received, meter, signal } = attempt;
  const { endpoint, ports, saga } = flow;
  const now = ports.clock.now();
  const { identity } = openedSaga;
  const item = embeddedItem(openedSaga.item);
  const { endpoint: owner = endpoint } = item && !isExpired(item, now) ? item : {};
  if (owner !== endpoint) {
    const facts = { sagaName: identity.name, sagaId: identity.id, owner, endpoint };
    throw new SagaboxError('SagaOfOtherEndpoint', facts);
  }
  const found = findInItem(identity, item, received, now, saga?.outbox?.form);
  if (found === undefined) return undefined;
  if (found.isOfOtherType) throw await reusedId(attempt);
  if (found.record !== 'its own') return found.record;
  const record = await beforeAbort(ports.outbox.find(received.id, meter), signal);
  if (record || found.withoutRecord === 'not handled') return record;
  if (found.withoutRecord === 'expired') return handledRecord(received.id, now);
  // Another delivery has just committed both. An answer of 'sent' would leave the rest to the relay.
  const detail = 'the item of its saga tells of it, and it is not visible yet';
  throw new SagaboxError('IncompleteOutboxRecord', { endpoint, messageId: received.id, detail });
}

/**
 * Finds the saga whose item is to store an ignored message, which the saga has not handled.
 *
 * @returns `undefined` for a message that belongs to no saga
 * @throws SagaboxError `DuplicateMessage` if it is committed
 */
export async function openUnhandled(attempt: Attempt): Promise<OpenedSaga | undefined> {
  const { flow, received, meter } = attempt;
  const identity = await sagaOf(attempt);
  if (identity === undefined) return undefined;
  const loaded = await flow.ports.sagas.load(identity, meter, 'all');
  const openedSaga = ofOwnForm(attempt, { identity, lease: undefined, ...loaded });
  // The answer may come after the message was returned.
  attempt.delivery.assertOngoing();
  const record = await findHandled(attempt, openedSaga);
  if (record === undefined) return openedSaga;
  throw new SagaboxError('DuplicateMessage', { endpoint: flow.endpoint, messageId: received.id });
}

/**
 * Finds the saga of a message. A message that cannot be read belongs to none. One that cannot be read for now
 * may have been committed in a saga.
 *
 * @throws SagaboxError a retryable one, if the message cannot be read for now
 */
async function sagaOf(attempt: Attempt): Promise<SagaIdentity | undefined> {
  const { batch } = attempt.delivery;
  if (batch?.saga) return batch.saga;
  const reading = await settled(readMessage(attempt));
  if (reading.status === 'fulfilled') return reading.value.correlated?.identity;
  if (isRetryable(reading.reason)) throw reading.reason;
  return undefined;
}
