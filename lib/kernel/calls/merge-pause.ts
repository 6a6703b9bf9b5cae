/** The number of commits that go alone for each commit of a refused transaction. */
const FIRST_FACTOR = 4;
const MAX_FACTOR = 64;

/**
 * The pause in which commits do not share transactions, after a shared one was refused.
 *
 * A refused transaction is charged for all of its commits, and each of them is made again. A pause is counted
 * in commits, so that this extra cost is at most a share of all, whatever the traffic: a fifth after a first
 * refusal, and one in 65 where refusals come one after another, as each makes the next pause twice as long.
 * Each shared transaction that succeeds halves the next pause again.
 */
export class MergePause {
  #left = 0;
  #factor = FIRST_FACTOR;

  /** Counts a commit. @returns whether it goes alone */
  takesOne(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }

  /** @param commits the number of commits that shared the transaction */
  refused(commits: number): void {
    // Several transactions can be under way: the longest of their pauses counts.
    this.#left = Math.max(this.#left, commits * this.#factor);
    this.#factor = Math.min(MAX_FACTOR, this.#factor * 2);
  }

  succeeded(): void {
    this.#factor = Math.max(FIRST_FACTOR, this.#factor / 2);
  }
}
