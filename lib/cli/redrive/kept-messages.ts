import type { StoredFailure } from './stored-failure.ts';

/** One empty receive may be chance: SQS promises all servers are asked, not that each answers. */
const EMPTY_RECEIVES_AT_THE_END = 2;
/** SQS may return the same messages again and again: after so many rounds without a new one the run ends. */
const ROUNDS_AT_MOST = 3;

/** What of a message is needed to make it visible again. A queue may hold more bodies than a process does. */
export type KeptMessage = Pick<StoredFailure, 'receiptHandle'>;

/**
 * What stays in the queue, hidden until the run ends. In a long run it is handed out again, as it
 * cannot be hidden for long: this knows what was looked at, and when the run has looked at all messages.
 */
export class KeptMessages {
  /** By the id that SQS gave. */
  readonly #kept = new Map<string, KeptMessage>();
  readonly #seen = new Set<string>();
  /** Those that came again since something new came. */
  readonly #returned = new Set<string>();
  #returns = 0;
  #emptyReceives = 0;

  /** Keeps what was received. @returns what the run has not seen before */
  add(batch: readonly StoredFailure[]): StoredFailure[] {
    this.#emptyReceives = batch.length === 0 ? this.#emptyReceives + 1 : 0;
    const unseen = batch.filter(({ sqsMessageId }) => !this.#seen.has(sqsMessageId));
    if (unseen.length > 0) {
      this.#returned.clear();
      this.#returns = 0;
    }
    for (const stored of batch) this.#addOne(stored);
    return unseen;
  }

  #addOne({ sqsMessageId, receiptHandle }: StoredFailure): void {
    const isKept = this.#kept.has(sqsMessageId);
    if (this.#seen.has(sqsMessageId)) this.#returns += 1;
    if (isKept) this.#returned.add(sqsMessageId);
    // Its new receipt handle is the one that is valid.
    if (isKept || !this.#seen.has(sqsMessageId)) this.#kept.set(sqsMessageId, { receiptHandle });
    this.#seen.add(sqsMessageId);
  }

  /** It has left the queue. */
  remove({ sqsMessageId }: StoredFailure): void {
    this.#kept.delete(sqsMessageId);
  }

  /** Whether SQS has no more messages to hand out. */
  get isDrained(): boolean {
    return this.#emptyReceives >= EMPTY_RECEIVES_AT_THE_END;
  }

  /** Whether the queue is drained, or hands out only what was looked at. */
  get isExhausted(): boolean {
    const allReturned = this.#kept.size > 0 && this.#returned.size >= this.#kept.size;
    return this.isDrained || allReturned || this.#returns > ROUNDS_AT_MOST * (this.#kept.size + 10);
  }

  get size(): number {
    return this.#kept.size;
  }

  all(): KeptMessage[] {
    return [...this.#kept.values()];
  }
}
