import type { SagaIdentity } from '../dynamodb/keys.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { PendingTimeouts } from '../sending/pending-timeouts.ts';
import { type ContributionsOrigin, DraftContributions } from './draft-contributions.ts';
import { type OpenedSaga, revisionOf, type Saga, type SagaWrite, type StoredSaga } from './saga-state.ts';
import type { StateRules } from './state-versions.ts';

/** A draft of a saga's state that a handler works on, and the write that follows from it. */
export class SagaDraft {
  readonly openedSaga: OpenedSaga;
  readonly saga: Saga;
  readonly timeouts: PendingTimeouts;
  /** @default - the saga has none */
  readonly contributions: DraftContributions | undefined;
  readonly #rules: StateRules;
  /** The state, read when the handler first asks for it: an error of users' code is the handler's then. */
  #state: { value: unknown } | undefined;
  #completed = false;
  #sealed = false;

  constructor(
    openedSaga: OpenedSaga,
    rules: StateRules,
    contributions?: Omit<ContributionsOrigin, 'saga' | 'createdAt' | 'assertOpen'>,
  ) {
    const { identity, stored } = openedSaga;
    const draft = this;
    this.openedSaga = openedSaga;
    this.timeouts = new PendingTimeouts(stored?.timeouts);
    this.#rules = rules;
    this.saga = {
      name: identity.name,
      id: identity.id,
      get state() {
        draft.#assertOpen('state');
        return draft.#currentState;
      },
      set state(value: unknown) {
        draft.#assertOpen('state');
        draft.#state = { value };
      },
      isNew: stored === undefined,
      complete: () => {
        draft.#assertOpen('complete()');
        draft.#completed = true;
      },
    };
    this.contributions =
      contributions &&
      new DraftContributions({
        ...contributions,
        saga: identity,
        createdAt: stored?.createdAt,
        assertOpen: (member) => draft.#assertOpen(member),
      });
    Object.assign(this.saga, this.contributions?.members);
  }

  /** Ends the changes of the handler: one behind an unawaited promise would be lost silently. */
  seal(): void {
    this.#sealed = true;
  }

  get identity(): SagaIdentity {
    return this.openedSaga.identity;
  }

  get isCompleted(): boolean {
    return this.#completed;
  }

  /**
   * Returns the write of the saga; `undefined` for one that did not change, or that started and completed in
   * one handler. Contributions that a handler collected are deleted under the version of the saga, so that of
   * two handlers that were given the same ones, one is refused.
   *
   * @throws SagaboxError `AppendOnly`, `HandlerReturned`, `InvalidContribution`
   */
  write(): SagaWrite | undefined {
    const { identity: saga, stored, lease } = this.openedSaga;
    if (this.contributions?.leavesSaga) {
      this.#assertAsRead();
      return undefined;
    }
    this.contributions?.assertCollected(this.#completed);
    const target = { saga, leaseOwner: lease?.owner };
    const state = this.#currentState;
    const timeouts = this.timeouts.current;
    const { stateVersion } = this.#rules;
    const left = { state, timeouts, ...(stateVersion !== undefined && { stateVersion }), ...target };
    if (stored === undefined)
      return this.#completed ? undefined : { kind: 'create', read: revisionOf(this.openedSaga), ...left };
    const { revision: read, createdAt } = stored;
    if (this.#completed) return { kind: 'complete', read, ...target };
    const isUnchanged = !this.timeouts.hasChanged && !this.contributions?.collects && isSame(state, stored);
    return isUnchanged ? undefined : { kind: 'update', read, createdAt, ...left };
  }

  get #currentState(): unknown {
    const { stored } = this.openedSaga;
    this.#state ??= { value: stored === undefined ? this.#rules.initialState() : stored.readState() };
    return this.#state.value;
  }

  /** Refuses a change by an appending handler, which has no lease, and no order with other handlers. */
  #assertAsRead(): void {
    const { stored, identity } = this.openedSaga;
    const isSameState = stored && (this.#state === undefined || isSame(this.#state.value, stored));
    if (isSameState && !this.#completed && !this.timeouts.hasChanged) return;
    throw new SagaboxError('AppendOnly', { sagaName: identity.name, sagaId: identity.id });
  }

  #assertOpen(member: string): void {
    if (!this.#sealed) return;
    const { name: sagaName, id: sagaId } = this.identity;
    throw new SagaboxError('HandlerReturned', { sagaName, sagaId, member: `saga.${member}` });
  }
}

/** Whether a state is as stored. One that cannot be compared counts as changed: the write tells why. */
function isSame(state: unknown, stored: StoredSaga): boolean {
  try {
    return stored.isSame(state);
  } catch {
    // A user's mapper or getter may throw anything.
    return false;
  }
}
