import type { Attempt } from '../../attempt/attempt.ts';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import type { OpenedSaga, SagaWrite } from '../../saga/saga-state.ts';
import { assertValidState, currentState, type StateRules } from '../../saga/state-versions.ts';

/**
 * Returns the saga with its state in the form that the handler knows. The state that a handler leaves is
 * compared with this one: after a migration alone, a message that only reads a saga costs no write.
 *
 * @throws SagaboxError `UnknownStateVersion`, `InvalidSagaState`, or `UnsupportedState` for a state that
 *   could not be stored; the errors of a migration or of the schema
 */
export async function withCurrentState(
  { flow, signal }: Attempt,
  rules: StateRules,
  openedSaga: OpenedSaga,
): Promise<OpenedSaga> {
  const { identity: saga, stored } = openedSaga;
  if (stored === undefined) return openedSaga;
  const state = await beforeAbort(currentState(rules, saga, stored), signal);
  const { revision: read, createdAt, timeouts } = stored;
  const asIfWritten = { kind: 'update', saga, state, timeouts, read, createdAt } as const;
  const current = {
    ...stored,
    ...flow.ports.committer.readSnapshot(asIfWritten),
    ...(rules.stateVersion !== undefined && { stateVersion: rules.stateVersion }),
  };
  return { ...openedSaga, stored: current };
}

/**
 * Refuses a state that the next message could not read: it is validated as that message would read it.
 *
 * @throws SagaboxError `InvalidSagaState`; the errors of the schema
 */
export async function assertReadable(
  { flow, signal }: Attempt,
  rules: StateRules,
  write: SagaWrite,
): Promise<void> {
  if (write.kind === 'complete') return;
  const state = flow.ports.committer.readSnapshot(write).readState();
  await beforeAbort(assertValidState(rules, write.saga, state, write.kind === 'create'), signal);
}
