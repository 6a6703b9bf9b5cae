import type { CorrelatedMessage } from '../core/define-saga.ts';
import type { SagaIdentity } from '../core/keys.ts';
import type { OpenedSaga } from '../core/saga-state.ts';
import { acquireLease } from './acquire-lease.ts';
import type { Attempt } from './attempt.ts';

/** Waits until no other message of the same batch works on this saga. */
export type TakeTurn = (saga: SagaIdentity) => Promise<void>;

export interface OpenedMessage extends CorrelatedMessage {
  readonly opened: OpenedSaga;
}

/**
 * Finds the saga of a message, and loads it: beside the dedup check in optimistic mode, after it in pessimistic mode, so that
 * nothing is locked for a message that is done.
 */
export async function openSaga(
  attempt: Attempt,
  isNew: Promise<boolean>,
  takeTurn: TakeTurn,
): Promise<OpenedMessage | undefined> {
  const { flow, received, meter } = attempt;
  if (flow.saga === undefined) return undefined;
  const correlated = await flow.saga.correlate(received);
  const { identity } = correlated;
  await takeTurn(identity);
  if (flow.pessimistic === undefined) {
    const stored = await flow.ports.sagas.load(identity, meter);
    return { ...correlated, opened: { identity, stored, lease: undefined } };
  }
  const opened = (await isNew)
    ? await acquireLease(attempt, flow.pessimistic, correlated)
    : { identity, stored: undefined, lease: undefined };
  return { ...correlated, opened };
}
