import { type SagaIdentity, sagaKey } from '../../core/storage/keys.ts';
import { SagaGroup } from './saga-group.ts';
import { type PlaceTerms, SagaPlace } from './saga-place.ts';

/** A delivery whose end others of its batch may wait for. */
export interface Ending {
  untilOver(): Promise<void>;
}

/** The lines of one batch: of each saga, the messages that belong to it; of each message, its copies. */
export class SagaLines {
  readonly #lines = new Map<string, SagaLine>();
  readonly #copies = new Map<string, Ending>();

  /**
   * Enters the line of the copies of a message. Only the first copy may find the message not handled.
   *
   * @returns the copy ahead; `undefined` if there is none
   */
  enterCopy(messageId: string, copy: Ending): Ending | undefined {
    const ahead = this.#copies.get(messageId);
    this.#copies.set(messageId, copy);
    return ahead;
  }

  of(saga: SagaIdentity): SagaLine {
    const key = sagaKey(saga).partition;
    const line = this.#lines.get(key) ?? new SagaLine();
    this.#lines.set(key, line);
    return line;
  }
}

/**
 * Lets the messages of one batch that belong to one saga go one after another, in the order in which they
 * first asked. A message that is retried after a conflict, or in a FIFO group, stays ahead of those behind
 * it; after any other failure they go past it. Messages that share a group follow each other before it is
 * committed; all others begin when those ahead of them have ended.
 */
export class SagaLine {
  readonly #places: SagaPlace[] = [];
  /** The group that messages may still join, or that is being committed. */
  #group: SagaGroup | undefined;
  #commits = 0;

  /** Rises with each commit that may have taken effect: earlier reads may be old. */
  get commits(): number {
    return this.#commits;
  }

  enter(terms: PlaceTerms): SagaPlace {
    const place = new SagaPlace(this, terms);
    this.#places.push(place);
    return place;
  }

  leave(place: SagaPlace): void {
    const index = this.#places.indexOf(place);
    if (index >= 0) this.#places.splice(index, 1);
    this.advance();
  }

  /** Whether a message will most likely be handled in the group of those ahead of it. */
  mayFollow(place: SagaPlace): boolean {
    const ahead = this.#places.slice(0, this.#places.indexOf(place));
    const shares = (other: SagaPlace) =>
      other.sharing === place.sharing && other.messageId !== place.messageId;
    return ahead.length > 0 && ahead.length < SagaGroup.maxMessages && ahead.every(shares);
  }

  crowdOf(sharing: object): number {
    return this.#places.filter((place) => place.sharing === sharing).length;
  }

  noteCommit(): void {
    this.#commits += 1;
  }

  /** The group of a message that has the turn: that of those ahead of it, or a new one. */
  groupOf(place: SagaPlace): SagaGroup {
    if (place.group) return place.group;
    this.#group = new SagaGroup((group, mayBeCommitted) => this.#ended(group, mayBeCommitted));
    return this.#group;
  }

  /** Gives the turn to the next message, if nobody has it; a group that it cannot join is committed first. */
  advance(): void {
    if (this.#places.some(({ isWorking }) => isWorking)) return;
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
  #follow(group: SagaGroup, place: SagaPlace): void {
    const last = this.#places.findLastIndex((other) => other.hasJoined(group));
    const index = this.#places.indexOf(place);
    if (index < last) {
      this.#places.splice(index, 1);
      this.#places.splice(last, 0, place);
    }
    place.begin(group);
  }

  #next(): SagaPlace | undefined {
    const first = this.#places.find(({ isWaiting, isHolding }) => isWaiting || isHolding);
    return first?.isWaiting ? first : undefined;
  }

  #ended(group: SagaGroup, mayBeCommitted: boolean): void {
    if (mayBeCommitted) this.noteCommit();
    this.#group = undefined;
    for (const place of this.#places) place.leaveGroup(group);
    this.advance();
  }
}
