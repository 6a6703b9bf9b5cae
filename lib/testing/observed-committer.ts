import type { Commit } from '../outbox/commit.ts';
import type { Committer } from '../outbox/commit/committer.ts';

/** @param commits takes those that succeed */
export function observedCommitter(committer: Committer, commits: Commit[]): Committer {
  return {
    keep: (write) => committer.keep(write),
    readKept: (kept) => committer.readKept(kept),
    async commit(commit, meter, terms) {
      await committer.commit(commit, meter, terms);
      commits.push(commit);
    },
  };
}
