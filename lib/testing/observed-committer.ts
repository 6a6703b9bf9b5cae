import type { Committer } from '../outbox/commit/committer.ts';
import type { Commit } from '../outbox/commit.ts';

/** @param commits takes those that succeed */
export function observedCommitter(committer: Committer, commits: Commit[]): Committer {
  return {
    snapshot: (write) => committer.snapshot(write),
    readSnapshot: (kept) => committer.readSnapshot(kept),
    async commit(commit, meter, terms) {
      await committer.commit(commit, meter, terms);
      commits.push(commit);
    },
  };
}
