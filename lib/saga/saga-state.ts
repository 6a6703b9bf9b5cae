import type { SagaIdentity } from '../dynamodb/keys.ts';
import type { Lease } from '../kernel/lease.ts';
import type { PendingTimeout } from '../sending/pending-timeouts.ts';
import type { AppendOptions } from './contribution.ts';
import type { Collected, CollectOptions } from './draft-contributions.ts';
import type { SagaItem } from './item/saga-item.ts';
import type { SagaRevision } from './item/saga-revision.ts';

export interface StoredSaga<State = unknown> {
  /** Returns a fresh copy at each call. */
  readState(): State;
  /** Whether a write of this state would change nothing. */
  isSame(state: unknown): boolean;
  readonly revision: SagaRevision;
  readonly createdAt: Date;
  readonly timeouts: readonly PendingTimeout[];
  /** The version of the state's form. @default 1 */
  readonly stateVersion?: number;
}

/** A saga that was loaded for a handler, and locked where the mode says so. */
export interface OpenedSaga {
  readonly identity: SagaIdentity;
  readonly stored: StoredSaga | undefined;
  readonly lease: Lease | undefined;
  /** The item that was read, also the tombstone of a saga that has ended. */
  readonly item?: SagaItem | undefined;
  /** Whether the message waited for the lease: its dedup check may be older than the saga then. */
  readonly hasWaited?: boolean;
  /**
   * Whether the read was eventually consistent: there may be a later version, or a saga where none was found.
   */
  readonly mayBeOld?: boolean;
}

/** A saga as its handler gets it. */
export interface Saga<State = unknown> {
  readonly name: string;
  /** The correlation value. */
  readonly id: string;
  /** The state, to change in place or to replace: it is stored when it differs after the handler. */
  state: State;
  /** Whether this message starts the saga. */
  readonly isNew: boolean;
  /** Ends the saga: it is deleted with the commit. */
  complete(): void;
}

/** A saga as the handlers of the types in `appendedBy` get it: they leave it as it is. */
export interface AppendingSaga<State = unknown> extends Pick<Saga<State>, 'name' | 'id'> {
  /** The state as it was read. The saga may change while the handler runs. */
  readonly state: Readonly<State>;
  /**
   * Adds a value beside the saga, in an item of its own that is committed with the message. No other message
   * of the saga conflicts with it. If the saga ends meanwhile, the value is never read.
   *
   * @param key the key by which `saga.collect` finds the value: 1 to 128 bytes without `#`; a saga may have
   *   several
   * @param value a value that a state may hold
   * @throws SagaboxError `InvalidContribution`, at once
   */
  append(key: string, value: unknown, options?: AppendOptions): void;
}

/** A saga as the handlers of the types in `collectedBy` get it. */
export interface CollectingSaga<State = unknown> extends Saga<State> {
  /**
   * Reads the values that were appended under a key, up to 90 at a time, or `atMost`. The commit deletes
   * them, in one transaction with the state that the handler made of them. If there are more, the commit
   * sends the message to the saga again. Await the call, and complete the saga only with the last values:
   * else the message fails.
   *
   * @returns undefined if there are fewer than `atLeast`: nothing is deleted, and the message does not come
   *   again
   * @throws SagaboxError `InvalidContribution`, `UnreadableItem`, or what a read of the table throws
   */
  collect<Value = unknown>(key: string, options?: AnyNumber): Promise<Collected<Value>>;
  collect<Value = unknown>(key: string, options: CollectOptions): Promise<Collected<Value> | undefined>;
}

/** The options without a least number, with which `collect` never returns undefined. */
type AnyNumber = Omit<CollectOptions, 'atLeast'> & { readonly atLeast?: undefined };

interface SagaTarget {
  readonly saga: SagaIdentity;
  /** The owner of the lease: the write succeeds only while the lease is ours, and gives it back. */
  readonly leaseOwner?: string | undefined;
}

interface StateWrite extends SagaTarget {
  readonly state: unknown;
  /** The version of the state's form. @default 1 */
  readonly stateVersion?: number;
  readonly timeouts: readonly PendingTimeout[];
  /** The number of messages that changed the saga: the version rises by one for each. @default 1 */
  readonly changes?: number;
}

export type SagaWrite =
  /** The start of a saga, where there is none, or the tombstone of one that was read. */
  | (StateWrite & { readonly kind: 'create'; readonly read?: SagaRevision | undefined })
  | (StateWrite & { readonly kind: 'update'; readonly read: SagaRevision; readonly createdAt: Date })
  | (SagaTarget & { readonly kind: 'complete'; readonly read: SagaRevision });

/** A write that leaves a state. */
export type SagaStateWrite = Exclude<SagaWrite, { readonly kind: 'complete' }>;

/** The check of a discard: the saga is still as it was read, or still absent. It writes nothing. */
export interface SagaCheck extends SagaTarget {
  readonly kind: 'check';
  /** The revision that was read; `undefined` for a saga that was absent, and left no tombstone. */
  readonly read: SagaRevision | undefined;
}

/** Returns the revision that must still be there when a decision on it is committed. */
export function revisionOf({ stored, item }: Pick<OpenedSaga, 'stored' | 'item'>): SagaRevision | undefined {
  return stored?.revision ?? item?.revision;
}

/** A state as its store keeps it, detached from what the handler worked on. */
export class KeptState {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  get value(): unknown {
    return this.#value;
  }

  /** Whether a state is a kept one. `instanceof` asks for the prototype, where a user's state may throw. */
  static is(state: unknown): state is KeptState {
    return typeof state === 'object' && state !== null && #value in state;
  }
}
