import { limits } from '../../core/limits.ts';
import type { CommitTerms } from '../../ports.ts';
import { Coalescer, type PendingRequest } from './coalescer.ts';
import { MergePause } from './merge-pause.ts';
import { SHARED_CALL_ITEMS } from './shared-call.ts';

/** A commit, as far as others can share its transaction. */
export interface CommitPart {
  /** Of each item that it writes or checks; undefined if they are not known, as of users' writes. */
  readonly itemIds: readonly string[] | undefined;
  readonly bytes: number;
  readonly terms: CommitTerms | undefined;
}

export interface CommitMergerOptions<Part extends CommitPart> {
  /** How long the first commit of a transaction waits for others. */
  gather(): Promise<void>;
  /** One transaction: all parts are written, or nothing. Each call has a request token of its own. */
  transact(parts: readonly Part[]): Promise<void>;
  /**
   * Whether a transaction was refused for something that is in it, so that nothing is written. Whatever else
   * fails it may have been written, or would fail its parts alike.
   */
  isRefusal(error: unknown): boolean;
}

/**
 * Has commits that are ready at the same time share one transaction: that saves calls, and no units.
 *
 * If it is refused, each commits alone, at once, and merging pauses. If there is no answer, each fails: its
 * next attempt reads whether it was committed.
 */
export class CommitMerger<Part extends CommitPart> {
  readonly #options: CommitMergerOptions<Part>;
  readonly #coalescer: Coalescer<Part, void>;
  readonly #pause = new MergePause();

  constructor(options: CommitMergerOptions<Part>) {
    this.#options = options;
    this.#coalescer = new Coalescer<Part, void>({
      gather: () => options.gather(),
      fits: isOneTransaction,
      isFull: (parts) => itemsOf(parts) >= SHARED_CALL_ITEMS,
      run: this.#run.bind(this),
      failsAll: (error) => !options.isRefusal(error),
    });
  }

  /** @throws what its transaction throws, or its terms once nobody waits for it */
  async commit(part: Part): Promise<void> {
    if (mayMerge(part) && !this.#pause.takesOne()) await this.#coalescer.add(part);
    else await this.#options.transact([part]);
  }

  async #run(group: readonly PendingRequest<Part, void>[]): Promise<void> {
    const ongoing = group.filter(isOngoing);
    const parts = ongoing.map(({ request }) => request);
    if (parts.length > 1) await this.#merge(parts);
    else if (parts.length === 1) await this.#options.transact(parts);
    for (const asked of ongoing) asked.resolve();
  }

  async #merge(parts: readonly Part[]): Promise<void> {
    try {
      await this.#options.transact(parts);
    } catch (error) {
      if (this.#options.isRefusal(error)) {
        this.#pause.refused(parts.length);
        parts[0]?.terms?.onMerge?.('refused');
      }
      throw error;
    }
    this.#pause.succeeded();
    const terms = parts.flatMap((part) => part.terms ?? []);
    for (const each of terms) each.onMerge?.('merged', terms);
  }
}

/**
 * A single item is written without a transaction, at half the price. After a failed attempt a message commits
 * alone: it may be the one that had a shared transaction refused.
 */
function mayMerge({ itemIds, terms }: CommitPart): boolean {
  return itemIds !== undefined && itemIds.length > 1 && terms?.isFirstAttempt === true;
}

/** A transaction takes each item once: two copies of a message, or two messages of a saga, go apart. */
function isOneTransaction(parts: readonly CommitPart[], part: CommitPart): boolean {
  const { itemIds = [], bytes } = part;
  return (
    itemsOf(parts) + itemIds.length <= SHARED_CALL_ITEMS &&
    parts.reduce((total, other) => total + other.bytes, bytes) <= limits.transactionBytes &&
    !parts.some((other) => itemIds.some((id) => other.itemIds?.includes(id)))
  );
}

function itemsOf(parts: readonly CommitPart[]): number {
  return parts.reduce((total, { itemIds = [] }) => total + itemIds.length, 0);
}

/** Rejects what was returned to its queue while it waited: from then on it must start no effect. */
function isOngoing({ request, reject }: PendingRequest<CommitPart, void>): boolean {
  try {
    request.terms?.assertOngoing();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}
