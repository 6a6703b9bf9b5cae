import { isDeepStrictEqual } from 'node:util';
import type { SagaIdentity } from './keys.ts';

/** A saga as it is stored. */
export interface StoredSaga<State = unknown> {
  /** A fresh copy at each call. */
  readState(): State;
  /** 1 on create, one more with each write: the fencing token of optimistic concurrency. */
  readonly version: number;
  readonly createdAt: Date;
}

/** A saga as its handler gets it. */
export interface Saga<State = unknown> {
  /** The correlation value. */
  readonly id: string;
  /** Change it in place or replace it: it is stored when it differs after the handler. */
  state: State;
  /** Whether this message starts the saga. */
  readonly isNew: boolean;
  /** Ends the saga: it is deleted with the commit. */
  complete(): void;
}

export type SagaWrite =
  | { readonly kind: 'create'; readonly saga: SagaIdentity; readonly state: unknown }
  | {
      readonly kind: 'update';
      readonly saga: SagaIdentity;
      readonly state: unknown;
      readonly readVersion: number;
      readonly createdAt: Date;
    }
  | { readonly kind: 'complete'; readonly saga: SagaIdentity; readonly readVersion: number };

/** A draft of a saga's state that a handler works on, and the write that follows from it. */
export class SagaDraft {
  readonly identity: SagaIdentity;
  readonly #stored: StoredSaga | undefined;
  #completed = false;
  readonly saga: Saga;

  constructor(identity: SagaIdentity, stored: StoredSaga | undefined, initialState: () => unknown) {
    this.identity = identity;
    this.#stored = stored;
    this.saga = {
      id: identity.id,
      state: stored === undefined ? initialState() : stored.readState(),
      isNew: stored === undefined,
      complete: () => {
        this.#completed = true;
      },
    };
  }

  /** Nothing for a saga that did not change, or that started and completed in one handler. */
  write(): SagaWrite | undefined {
    const { state } = this.saga;
    const saga = this.identity;
    if (this.#stored === undefined) return this.#completed ? undefined : { kind: 'create', saga, state };
    const { version: readVersion, createdAt } = this.#stored;
    if (this.#completed) return { kind: 'complete', saga, readVersion };
    if (isDeepStrictEqual(state, this.#stored.readState())) return undefined;
    return { kind: 'update', saga, state, readVersion, createdAt };
  }
}
