import { MergePause } from '../../kernel/calls/merge-pause.ts';
import { type PendingRequest, RequestBatcher } from '../../kernel/calls/request-batcher.ts';
import { SHARED_CALL_ITEMS } from '../../kernel/calls/shared-call.ts';
import { limits } from '../../kernel/limits.ts';
import type { CommitTerms } from './committer.ts';

/** A commit that others may share a transaction with. */
export interface CommitPart {
  /**
   * The ids of the items that the commit writes or checks; `undefined` if some are unknown, as users' are.
   */
  readonly itemIds: readonly string[] | undefined;
  readonly bytes: number;
  readonly terms: CommitTerms | undefined;
}

export interface CommitMergerOptions<Part extends CommitPart> {
  /** Waits for further commits, from the first one of a transaction on. */
  waitFor(): Promise<void>;
  /** Writes all parts in one transaction, or nothing. Each call has a request token of its own. */
  transact(parts: readonly Part[]): Promise<void>;
  /**
   * Whether a transaction was refused for its contents, so that nothing is written. After any other error it
   * may have been written, or its parts would fail alike.
   */
  isRefusal(error: unknown): boolean;
}

/**
 * Lets commits that are ready at the same time share one transaction, which saves calls, but no units.
 *
 * If the transaction is refused, each commit is made alone, at once, and merging pauses. If there is no
 * answer, each commit fails: the next attempt of its message reads whether it was made.
 */
export class CommitMerger<Part extends CommitPart> {
  readonly #options: CommitMergerOptions<Part>;
  readonly #requests: RequestBatcher<Part, void>;
  readonly #pause = new MergePause();

  constructor(options: CommitMergerOptions<Part>) {
    this.#options = options;
    this.#requests = new RequestBatcher<Part, void>({
      waitFor: () => options.waitFor(),
      fits: isOneTransaction,
      isFull: (parts) => itemsOf(parts) >= SHARED_CALL_ITEMS,
      run: this.#run.bind(this),
      failsAll: (error) => !options.isRefusal(error),
    });
  }

  /** @throws the error of its transaction, or of its terms once the message was returned to its queue */
  async commit(part: Part): Promise<void> {
    if (mayMerge(part) && !this.#pause.takesOne()) await this.#requests.add(part);
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
 * Whether a commit may share a transaction. A single item is written without one, at half the price. After a
 * failed attempt a message commits alone: a shared transaction may have been refused because of it.
 */
function mayMerge({ itemIds, terms }: CommitPart): boolean {
  return itemIds !== undefined && itemIds.length > 1 && terms?.isFirstAttempt === true;
}

/**
 * Whether parts fit into one transaction, which takes each item once: two copies of a message, or two
 * messages of a saga, are committed apart.
 */
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

/**
 * Whether the message of a commit still waits for it. A commit whose message was returned to its queue
 * meanwhile is rejected: it must not start any effect.
 */
function isOngoing({ request, reject }: PendingRequest<CommitPart, void>): boolean {
  try {
    request.terms?.assertOngoing();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}
