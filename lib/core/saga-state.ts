import { isDeepStrictEqual } from 'node:util';
import type { SagaIdentity } from './keys.ts';
import type { Lease } from './lease.ts';
import { type PendingTimeout, PendingTimeouts } from './pending-timeouts.ts';

/** One state of one saga, for a write to be refused when it is not the latest any more: the fencing token. */
export interface SagaRevision {
  /** 1 on create, one more with each write. */
  readonly version: number;
  /** Of the commit that wrote it: a saga that was completed and started anew comes to the same versions again. */
  readonly commitId: string;
}

/** A saga as it is stored. */
export interface StoredSaga<State = unknown> {
  /** A fresh copy at each call. */
  readState(): State;
  /** Whether a write of this state would change nothing. */
  isSame(state: unknown): boolean;
  readonly revision: SagaRevision;
  readonly createdAt: Date;
  readonly timeouts: readonly PendingTimeout[];
}

/** A saga that was loaded for a handler, and locked where the mode says so. */
export interface OpenedSaga {
  readonly identity: SagaIdentity;
  readonly stored: StoredSaga | undefined;
  readonly lease: Lease | undefined;
  /** It was read with eventual consistency: there may be a later version of it, or one at all. */
  readonly mayBeOld?: boolean;
}

/** A saga as its handler gets it. */
export interface Saga<State = unknown> {
  readonly name: string;
  /** The correlation value. */
  readonly id: string;
  /** Change it in place or replace it: it is stored when it differs after the handler. */
  state: State;
  /** Whether this message starts the saga. */
  readonly isNew: boolean;
  /** Ends the saga: it is deleted with the commit. */
  complete(): void;
}

export type SagaWrite = SagaCreation | SagaUpdate | SagaCompletion;

interface SagaTarget {
  readonly saga: SagaIdentity;
  /** Under a lease the write holds only while it is ours; the write gives it back. */
  readonly leaseOwner?: string | undefined;
}

export interface SagaCreation extends SagaTarget {
  readonly kind: 'create';
  readonly state: unknown;
  readonly timeouts: readonly PendingTimeout[];
}

export interface SagaUpdate extends SagaTarget {
  readonly kind: 'update';
  readonly state: unknown;
  readonly timeouts: readonly PendingTimeout[];
  readonly read: SagaRevision;
  readonly createdAt: Date;
}

export interface SagaCompletion extends SagaTarget {
  readonly kind: 'complete';
  readonly read: SagaRevision;
}

/** What a discard rests on: the saga is still as it was read, or still absent. It writes nothing. */
export interface SagaCheck extends SagaTarget {
  readonly kind: 'check';
  /** Undefined for a saga that was not there. */
  readonly read: SagaRevision | undefined;
}

/** A draft of a saga's state that a handler works on, and the write that follows from it. */
export class SagaDraft {
  readonly opened: OpenedSaga;
  readonly saga: Saga;
  readonly timeouts: PendingTimeouts;
  #completed = false;

  constructor(opened: OpenedSaga, initialState: () => unknown) {
    const { identity, stored } = opened;
    this.opened = opened;
    this.timeouts = new PendingTimeouts(stored?.timeouts);
    const readState = stored === undefined ? initialState : () => stored.readState();
    this.saga = Object.defineProperty(
      {
        name: identity.name,
        id: identity.id,
        state: undefined,
        isNew: stored === undefined,
        complete: () => {
          this.#completed = true;
        },
      },
      'state',
      lazily(readState),
    );
  }

  get identity(): SagaIdentity {
    return this.opened.identity;
  }

  get isCompleted(): boolean {
    return this.#completed;
  }

  /** Nothing for a saga that did not change, or that started and completed in one handler. */
  write(): SagaWrite | undefined {
    const { identity: saga, stored, lease } = this.opened;
    const target = { saga, leaseOwner: lease?.owner };
    const { state } = this.saga;
    const timeouts = this.timeouts.current;
    if (stored === undefined)
      return this.#completed ? undefined : { kind: 'create', state, timeouts, ...target };
    const { revision: read, createdAt } = stored;
    if (this.#completed) return { kind: 'complete', read, ...target };
    const isUnchanged = !this.timeouts.hasChanged && isSame(state, stored);
    return isUnchanged ? undefined : { kind: 'update', state, timeouts, read, createdAt, ...target };
  }
}

/** For plain states, which hold nothing that this comparison does not see. */
export function isSameState(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** What cannot be compared is taken for changed: the write tells what is wrong with it. */
function isSame(state: unknown, stored: StoredSaga): boolean {
  try {
    return stored.isSame(state);
  } catch {
    return false;
  }
}

/** Read when the handler first asks for it: what the user's own code throws there is the handler's error. */
function lazily(read: () => unknown): PropertyDescriptor {
  let current: { value: unknown } | undefined;
  return {
    enumerable: true,
    get: () => {
      current ??= { value: read() };
      return current.value;
    },
    set: (value: unknown) => {
      current = { value };
    },
  };
}
