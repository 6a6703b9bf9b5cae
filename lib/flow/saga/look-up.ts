import { beforeAbort } from '../../core/async/before-abort.ts';
import { settled } from '../../core/async/settle.ts';
import { findInItem, handledRecord } from '../../core/embedded/find-in-item.ts';
import { isExpired } from '../../core/embedded/saga-item.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import type { OutboxRecord } from '../../core/outbox/record.ts';
import type { CorrelatedMessage } from '../../core/saga/define-saga.ts';
import type { OpenedSaga } from '../../core/saga/saga-state.ts';
import type { Attempt } from '../attempt.ts';
import { reusedId } from '../reused-id.ts';
import { openSaga } from './open-saga.ts';
import type { SagaPlace } from './saga-place.ts';
import { findRecord } from './take-turn.ts';

/** What is known of a message before its handler runs. */
export interface Lookup {
  readonly found: PromiseSettledResult<OutboxRecord | undefined>;
  /** Its saga; undefined for a message that has none. */
  readonly opened: PromiseSettledResult<OpenedSaga> | undefined;
}

/** The dedup check, and the saga of a message. One item tells both where it keeps the messages that were handled. */
export async function lookUp(
  attempt: Attempt,
  correlated: CorrelatedMessage | undefined,
  place: SagaPlace | undefined,
): Promise<Lookup> {
  const base = place?.group?.base;
  if (attempt.flow.embedded && correlated) return await lookUpInItem(attempt, correlated, base);
  const finding = findRecord(attempt, place);
  const opening =
    correlated && settled(base ? Promise.resolve(base) : openSaga(attempt, correlated, finding, place));
  const found = await settled(finding);
  return { found, opened: opening && (await opening) };
}

async function lookUpInItem(
  attempt: Attempt,
  correlated: CorrelatedMessage,
  base: OpenedSaga | undefined,
): Promise<Lookup> {
  const none = Promise.resolve(undefined);
  const opened = await settled(base ? Promise.resolve(base) : openSaga(attempt, correlated, none));
  const finding = opened.status === 'fulfilled' ? findHandled(attempt, opened.value) : none;
  return { found: await settled(finding), opened };
}

/**
 * The record of a message that its saga has handled before, by the saga's item.
 *
 * @throws SagaboxError `MessageIdReused`, `SagaOfOtherEndpoint`, `IncompleteOutboxRecord`; what the read of its record throws
 */
export async function findHandled(
  attempt: Attempt,
  { identity, item }: OpenedSaga,
): Promise<OutboxRecord | undefined> {
  const { flow, received, meter, signal } = attempt;
  const { endpoint, ports, saga } = flow;
  const now = ports.clock.now();
  const { endpoint: owner = endpoint } = item && !isExpired(item, now) ? item : {};
  if (owner !== endpoint) {
    const facts = { sagaName: identity.name, sagaId: identity.id, owner, endpoint };
    throw new SagaboxError('SagaOfOtherEndpoint', facts);
  }
  const found = findInItem(identity, item, received, now, saga?.outbox);
  if (found === undefined) return undefined;
  if (found.isOfOtherType) throw await reusedId(attempt);
  if (found.record !== 'its own') return found.record;
  const record = await beforeAbort(ports.outbox.find(received.id, meter), signal);
  if (record || found.withoutRecord === 'not handled') return record;
  if (found.withoutRecord === 'expired') return handledRecord(received.id, now);
  // Another delivery has just committed both: to take it for sent would leave what it sends to the relay.
  const detail = 'the item of its saga tells of it, and it is not visible yet';
  throw new SagaboxError('IncompleteOutboxRecord', { endpoint, messageId: received.id, detail });
}
