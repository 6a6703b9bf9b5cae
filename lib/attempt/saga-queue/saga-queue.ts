import { type SagaIdentity, sagaKey } from '../../dynamodb/keys.ts';
import { MAX_COMBINED_MESSAGES } from '../../saga/combined-write.ts';
import { type EntryTerms, QueueEntry } from './queue-entry.ts';
import { SagaGroup } from './saga-group.ts';

/** A delivery whose end others of its batch may wait for. */
export interface Ending {
  untilOver(): Promise<void>;
}

/** The queues of one batch: of each saga, the messages that belong to it; of each message, its copies. */
export class SagaQueues {
  readonly #queues = new Map<string, SagaQueue>();
  readonly #copies = new Map<string, Ending>();

  /**
   * Enters the queue of the copies of a message. Only the first copy may find the message not handled.
   *
   * @returns the copy ahead; `undefined` if there is none
   */
  enterCopy(messageId: string, copy: Ending): Ending | undefined {
    const ahead = this.#copies.get(messageId);
    this.#copies.set(messageId, copy);
    return ahead;
  }

  of(saga: SagaIdentity): SagaQueue {
    const key = sagaKey(saga).partition;
    const queue = this.#queues.get(key) ?? new SagaQueue();
    this.#queues.set(key, queue);
    return queue;
  }
}

/**
 * Lets the messages of one batch that belong to one saga go one after another, in the order in which they
 * first asked. A message that is retried after a conflict, or in a FIFO group, stays ahead of those behind
 * it; after any other failure they go past it. Messages that share a group follow each other before it is
 * committed; all others begin when those ahead of them have ended.
 */
export class SagaQueue {
  readonly #entries: QueueEntry[] = [];
  /** The group that messages may still join, or that is being committed. */
  #group: SagaGroup | undefined;
  #commits = 0;

  /** Rises with each commit that may have taken effect: earlier reads may be old. */
  get commits(): number {
    return this.#commits;
  }

  enter(terms: EntryTerms): QueueEntry {
    const entry = new QueueEntry(this, terms);
    this.#entries.push(entry);
    return entry;
  }

  leave(entry: QueueEntry): void {
    const index = this.#entries.indexOf(entry);
    if (index >= 0) this.#entries.splice(index, 1);
    this.advance();
  }

  /** Whether a message will most likely be handled in the group of those ahead of it. */
  mayFollow(entry: QueueEntry): boolean {
    const ahead = this.#entries.slice(0, this.#entries.indexOf(entry));
    const shares = (other: QueueEntry) =>
      other.sharing === entry.sharing && other.messageId !== entry.messageId;
    return ahead.length > 0 && ahead.length < MAX_COMBINED_MESSAGES && ahead.every(shares);
  }

  crowdOf(sharing: object): number {
    return this.#entries.filter((entry) => entry.sharing === sharing).length;
  }

  noteCommit(): void {
    this.#commits += 1;
  }

  /** The group of a message that has the turn: that of those ahead of it, or a new one. */
  groupOf(entry: QueueEntry): SagaGroup {
    if (entry.group) return entry.group;
    this.#group = new SagaGroup((group, mayBeCommitted) => this.#ended(group, mayBeCommitted));
    return this.#group;
  }

  /** Gives the turn to the next message, if nobody has it; a group that it cannot join is committed first. */
  advance(): void {
    if (this.#entries.some(({ isWorking }) => isWorking)) return;
    const next = this.#next();
    const group = this.#group;
    if (group === undefined) next?.begin(undefined);
    else if (next && group.takes(next)) this.#follow(group, next);
    else group.end();
  }

  /**
   * Lets a message follow in the group. A retried message may have been ahead of the members: it moves behind
   * them, or they could not go on while it waits until their messages are sent.
   */
  #follow(group: SagaGroup, entry: QueueEntry): void {
    const last = this.#entries.findLastIndex((other) => other.hasJoined(group));
    const index = this.#entries.indexOf(entry);
    if (index < last) {
      this.#entries.splice(index, 1);
      this.#entries.splice(last, 0, entry);
    }
    entry.begin(group);
  }

  #next(): QueueEntry | undefined {
    const first = this.#entries.find(({ isWaiting, isHolding }) => isWaiting || isHolding);
    return first?.isWaiting ? first : undefined;
  }

  #ended(group: SagaGroup, mayBeCommitted: boolean): void {
    if (mayBeCommitted) this.noteCommit();
    this.#group = undefined;
    for (const entry of this.#entries) entry.leaveGroup(group);
    this.advance();
  }
}
