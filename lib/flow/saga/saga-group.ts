import { settled } from '../../core/async/settle.ts';
import { SharedDraw } from '../../core/async/shared-draw.ts';
import { describeError } from '../../core/failures/failure-facts.ts';
import { limits } from '../../core/limits.ts';
import type { OutboxRecord } from '../../core/outbox/commit.ts';
import type { OpenedSaga, SagaDraft, SagaStateWrite, StoredSaga } from '../../core/saga/saga-state.ts';
import { nextSagaVersion } from '../../core/saga/saga-version.ts';
import type { Flow } from '../attempt.ts';
import { commitTogether, type PreparedMessage } from '../commit-together.ts';
import { HandledAgain } from '../handled-again.ts';
import { isCommitConflict, isCommitRefusal } from './commit-refusal.ts';

interface Member {
  readonly prepared: PreparedMessage;
  readonly committed: PromiseWithResolvers<OutboxRecord>;
  /** Its messages are sent, or its delivery has ended. */
  readonly sent: PromiseWithResolvers<void>;
}

/** What a message that asks to follow in a group tells of itself. */
interface Follower {
  readonly messageId: string;
  readonly flow: Flow | undefined;
  readonly isApart: boolean;
}

/**
 * Messages of one saga that were handled one after another, each on a copy of what the one before left. They
 * are committed together, in one write of the saga.
 */
export class SagaGroup {
  static readonly maxMessages = 10;

  readonly #members: Member[] = [];
  readonly #onEnd: (group: SagaGroup, mayBeCommitted: boolean) => void;
  readonly #ended = Promise.withResolvers<boolean>();
  #stored: StoredSaga | undefined;
  #isOpen = true;
  #cancelTimer: (() => void) | undefined;
  #isEnding = false;

  /** @param onEnd told whether anything may have been committed, before its messages are */
  constructor(onEnd: (group: SagaGroup, mayBeCommitted: boolean) => void) {
    this.#onEnd = onEnd;
  }

  /** The saga as the last message leaves it: for the next one. */
  get base(): OpenedSaga {
    return { ...this.#opened, stored: this.#stored, lease: undefined };
  }

  /** At the end, whether what its messages rest on is committed. */
  get ended(): Promise<boolean> {
    return this.#ended.promise;
  }

  takes({ messageId, flow, isApart }: Follower): boolean {
    return (
      this.#isOpen &&
      !isApart &&
      this.#members.length < SagaGroup.maxMessages &&
      flow === this.#first.transaction.flow &&
      // It is a duplicate, once the group is committed.
      this.#members.every(({ prepared }) => prepared.transaction.received.id !== messageId)
    );
  }

  /**
   * @returns when the group is committed
   * @throws HandledAgain at once if it cannot be committed with the others
   */
  add(prepared: PreparedMessage): Promise<OutboxRecord> {
    const { received, flow } = prepared.transaction;
    const draft = prepared.transaction.draft as SagaDraft;
    if (!this.#isOpen) {
      const reason = 'its saga was committed before its handler returned';
      throw new HandledAgain(received.id, reason, { isAlone: true });
    }
    if (!this.#fits(prepared)) {
      this.#isOpen = false;
      throw new HandledAgain(received.id, 'its writes do not fit into one transaction with those before it');
    }
    const member: Member = { prepared, committed: Promise.withResolvers(), sent: Promise.withResolvers() };
    this.#members.push(member);
    if (this.#members.length === 1) {
      this.#stored = draft.opened.stored;
      this.#isOpen = this.#openForMs > 0;
    }
    if (draft.isCompleted) this.#isOpen = false;
    const { write } = prepared;
    if (write !== undefined && write.kind !== 'complete') {
      this.#stored = {
        ...flow.ports.committer.readKept(write),
        ...this.#left(write, flow.ports.clock.now()),
      };
    }
    return member.committed.promise;
  }

  /** Another message begins in the group: it does not hold the others up for longer than they may wait. */
  limitTime(): void {
    const { deadline } = this.#first.transaction.delivery;
    this.#cancelTimer ??= deadline.whenUnstartable(this.#openForMs, () => this.end());
  }

  /** Takes no more messages, and is committed. */
  end(): void {
    this.#isOpen = false;
    this.#cancelTimer?.();
    if (this.#isEnding) return;
    this.#isEnding = true;
    // Its messages wait for it.
    void this.#commit();
  }

  /** When the messages of those before it are sent. */
  async sentAhead(messageId: string): Promise<void> {
    const index = this.#indexOf(messageId);
    await Promise.all(this.#members.slice(0, index).map(({ sent }) => sent.promise));
  }

  noteSent(messageId: string): void {
    this.#members[this.#indexOf(messageId)]?.sent.resolve();
  }

  get #first(): PreparedMessage {
    return (this.#members[0] as Member).prepared;
  }

  get #opened(): OpenedSaga {
    return (this.#first.transaction.draft as SagaDraft).opened;
  }

  /** Half of the lease: its commit has to come before the end of the lease. */
  get #openForMs(): number {
    const { flow } = this.#first.transaction;
    const { lease } = this.#opened;
    if (lease === undefined || flow.pessimistic === undefined) return Number.POSITIVE_INFINITY;
    const leftMs = lease.until.getTime() - flow.ports.clock.now().getTime();
    return leftMs - flow.pessimistic.settings.leaseDurationMs / 2;
  }

  #indexOf(messageId: string): number {
    return this.#members.findIndex(({ prepared }) => prepared.transaction.received.id === messageId);
  }

  #fits({ transaction }: PreparedMessage): boolean {
    const transactions = [...this.#members.map(({ prepared }) => prepared.transaction), transaction];
    const writes = transactions.reduce((sum, { work }) => sum + 1 + work.transactionItems.length, 1);
    return this.#members.length === 0 || writes <= limits.transactionItems;
  }

  #left(write: SagaStateWrite, now: Date): Pick<StoredSaga, 'revision' | 'createdAt' | 'timeouts'> {
    const version = nextSagaVersion(this.#stored);
    const createdAt = this.#stored?.createdAt ?? now;
    return { revision: { version, commitId: 'not committed yet' }, createdAt, timeouts: write.timeouts };
  }

  async #commit(): Promise<void> {
    const messages = this.#members.map(({ prepared }) => prepared);
    // Without a write each is committed at half the price, and rests on nothing that the others did.
    const sharesWrite = messages.length > 1 && messages.some(({ write }) => write !== undefined);
    const outcomes = sharesWrite ? await commitShared(messages) : await commitEach(messages);
    const isCommitted = outcomes.every(({ status }) => status === 'fulfilled');
    const mayBeCommitted = outcomes.some(
      (each) => each.status === 'fulfilled' || !isCommitRefusal(each.reason),
    );
    this.#onEnd(this, mayBeCommitted);
    this.#ended.resolve(isCommitted || !sharesWrite);
    for (const [index, outcome] of outcomes.entries()) {
      const committed = this.#members[index]?.committed;
      if (outcome.status === 'fulfilled') committed?.resolve(outcome.value);
      else committed?.reject(outcome.reason);
    }
  }
}

type Outcome = PromiseSettledResult<OutboxRecord>;

async function commitEach(messages: readonly PreparedMessage[]): Promise<readonly Outcome[]> {
  const commitOne = async (message: PreparedMessage) => {
    const [record] = await commitTogether([message]);
    return record as OutboxRecord;
  };
  return await Promise.all(messages.map((message) => settled(commitOne(message))));
}

/**
 * After a conflict the messages are handled again together, after one delay. For any other refusal one of
 * them may be the cause: each is handled by itself, and that one alone fails.
 */
async function commitShared(messages: readonly PreparedMessage[]): Promise<readonly Outcome[]> {
  const committed = await settled(commitTogether(messages));
  if (committed.status === 'fulfilled')
    return committed.value.map((value) => ({ status: 'fulfilled', value }));
  const { reason } = committed;
  const backoffDraw = new SharedDraw();
  return messages.map(({ transaction: { delivery, received } }) => {
    if (isCommitRefusal(reason) && !isCommitConflict(reason))
      return { status: 'rejected', reason: refusedTogether(received.id, reason) };
    delivery.backoffDraw = backoffDraw;
    return { status: 'rejected', reason };
  });
}

function refusedTogether(messageId: string, cause: unknown): HandledAgain {
  const reason = `its commit together with others of its saga was refused (${describeError(cause).code})`;
  return new HandledAgain(messageId, reason, { isAlone: true, cause });
}
