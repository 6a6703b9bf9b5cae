import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import type { Clock } from '../../kernel/clock.ts';
import { limits } from '../../kernel/limits.ts';
import type { Committer } from '../../outbox/commit/committer.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import { MAX_COMBINED_MESSAGES } from '../../saga/combined-write.ts';
import type { OpenedSaga, SagaStateWrite, SagaWrite, StoredSaga } from '../../saga/saga-state.ts';
import { causeOf, HandledAgain } from '../handled-again.ts';
import { isCommitRefusal } from './commit-refusal.ts';

/** A message whose handler has returned, as its group sees it. */
export interface GroupMember {
  readonly messageId: string;
  /** Counts the attempt's capacity units. */
  readonly meter: CapacityMeter;
  /** The saga that the handler was given. */
  readonly openedSaga: OpenedSaga;
  readonly write: SagaWrite | undefined;
  readonly endsSaga: boolean;
  /** The number of writes of the message, without that of the saga. */
  readonly writeCount: number;
  readonly terms: GroupTerms;
}

export type GroupOutcome = PromiseSettledResult<OutboxRecord>;

/** The terms of a group: those of its first member count. */
export interface GroupTerms {
  readonly sharing: object;
  readonly clock: Clock;
  readonly committer: Pick<Committer, 'readSnapshot'>;
  /** The duration of a lease; `undefined` if sagas cannot be locked. */
  readonly leaseDurationMs: number | undefined;
  /** Calls back when no message may be started any more, and no later than after this time. */
  onStartMargin(callback: () => void, atMostMs: number): () => void;
  /** Commits the members. Never throws. @returns the outcome of each member */
  commit(members: readonly GroupMember[]): Promise<readonly GroupOutcome[]>;
}

/** A message that asks to follow in a group. */
interface Follower {
  readonly messageId: string;
  readonly sharing: object | undefined;
  readonly saga: SagaIdentity | undefined;
  readonly needsCommitted: boolean;
}

interface Joined {
  readonly member: GroupMember;
  readonly committed: PromiseWithResolvers<OutboxRecord>;
  readonly sent: Promise<void>;
}

/**
 * Messages of one saga that were handled one after another, each on a copy of the state that the previous one
 * left. They are committed together, in one write of the saga.
 */
export class SagaGroup {
  readonly #joined: Joined[] = [];
  readonly #onEnd: (group: SagaGroup, mayBeCommitted: boolean) => void;
  readonly #ended = Promise.withResolvers<boolean>();
  #stored: StoredSaga | undefined;
  #isOpen = true;
  #isEnding = false;
  #cancelTimer: (() => void) | undefined;

  /** @param onEnd told whether anything may have been committed, before the messages learn their outcomes */
  constructor(onEnd: (group: SagaGroup, mayBeCommitted: boolean) => void) {
    this.#onEnd = onEnd;
  }

  /** The saga as the last message leaves it, for the next one. */
  get base(): OpenedSaga {
    return { ...this.#first.openedSaga, stored: this.#stored, lease: undefined, hasWaited: false };
  }

  /** Resolves when the group has ended, to whether the state that a follower was given is committed. */
  get ended(): Promise<boolean> {
    return this.#ended.promise;
  }

  takes({ messageId, sharing, saga, needsCommitted }: Follower): boolean {
    if (!this.#isOpen || needsCommitted) return false;
    const { terms, openedSaga } = this.#first;
    const { name, id } = openedSaga.identity;
    if (name !== saga?.name || id !== saga.id) return false;
    if (sharing !== terms.sharing || this.#joined.length === MAX_COMBINED_MESSAGES) return false;
    // A copy of a member is a duplicate once the group is committed.
    return this.#joined.every(({ member }) => member.messageId !== messageId);
  }

  /**
   * @param sent resolves when the message's own messages are sent, or its delivery has ended
   * @returns the message's record, once it is committed
   * @throws HandledAgain at once if it cannot be committed with the others
   */
  add(member: GroupMember, sent: Promise<void>): Promise<OutboxRecord> {
    const { messageId, openedSaga, endsSaga, write } = member;
    if (!this.#isOpen) {
      const reason = 'its saga was committed before its handler returned';
      throw new HandledAgain(messageId, reason, { isAlone: true });
    }
    if (!this.#fits(member)) {
      this.#isOpen = false;
      throw new HandledAgain(messageId, 'its writes do not fit into one transaction with those before it');
    }
    const joined = { member, committed: Promise.withResolvers<OutboxRecord>(), sent };
    this.#joined.push(joined);
    if (this.#joined.length === 1) this.#stored = openedSaga.stored;
    if (endsSaga || this.#openForMs <= 0) this.#isOpen = false;
    if (write !== undefined && write.kind !== 'complete') this.#stored = this.#leftBy(write);
    return joined.committed.promise;
  }

  /** Limits how long the members wait for a message that begins in the group. */
  limitTime(): void {
    this.#cancelTimer ??= this.#first.terms.onStartMargin(() => this.end(), this.#openForMs);
  }

  /** Closes the group to further messages, and commits it. */
  end(): void {
    this.#isOpen = false;
    this.#cancelTimer?.();
    if (this.#isEnding) return;
    this.#isEnding = true;
    // The members wait for the commit.
    void this.#commit();
  }

  /** Waits until the messages that earlier members send are sent. */
  async sentAhead(messageId: string): Promise<void> {
    const ahead = this.#joined.slice(0, this.#indexOf(messageId));
    await Promise.all(ahead.map(({ sent }) => sent));
  }

  get #first(): GroupMember {
    return (this.#joined[0] as Joined).member;
  }

  /** How long the group stays open: it ends with half of the lease left, so that its commit is in time. */
  get #openForMs(): number {
    const { openedSaga, terms } = this.#first;
    if (openedSaga.lease === undefined || terms.leaseDurationMs === undefined)
      return Number.POSITIVE_INFINITY;
    return openedSaga.lease.until.getTime() - terms.clock.now().getTime() - terms.leaseDurationMs / 2;
  }

  #indexOf(messageId: string): number {
    return this.#joined.findIndex(({ member }) => member.messageId === messageId);
  }

  #fits({ writeCount }: GroupMember): boolean {
    const ofSaga = 1;
    const before = this.#joined.reduce((sum, { member }) => sum + member.writeCount, ofSaga);
    return this.#joined.length === 0 || before + writeCount <= limits.transactionItems;
  }

  #leftBy(write: SagaStateWrite): StoredSaga {
    const { terms, openedSaga } = this.#first;
    const { committer, clock } = terms;
    const before = this.#stored?.revision ?? openedSaga.item?.revision;
    return {
      ...committer.readSnapshot(write),
      ...(write.stateVersion !== undefined && { stateVersion: write.stateVersion }),
      // No condition uses this revision: the commit has that of the saga as it was read.
      revision: { version: (before?.version ?? 0) + 1, commitId: '' },
      createdAt: this.#stored?.createdAt ?? clock.now(),
      timeouts: write.timeouts,
    };
  }

  async #commit(): Promise<void> {
    const members = this.#joined.map(({ member }) => member);
    const outcomes = await this.#first.terms.commit(members);
    const mayBeCommitted = outcomes.some(
      (each) => each.status === 'fulfilled' || !isCommitRefusal(causeOf(each.reason)),
    );
    this.#onEnd(this, mayBeCommitted);
    const isCommitted = outcomes.every(({ status }) => status === 'fulfilled');
    const isAsRead = members.every(({ write }) => write === undefined);
    this.#ended.resolve(isCommitted || (isAsRead && !this.#first.openedSaga.mayBeOld));
    for (const [index, { committed }] of this.#joined.entries()) {
      const outcome = outcomes[index] as GroupOutcome;
      if (outcome.status === 'fulfilled') committed.resolve(outcome.value);
      else committed.reject(outcome.reason);
    }
  }
}
