import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import type { Committer } from '../../lib/outbox/commit/committer.ts';
import type { SagaRevision } from '../../lib/saga/item/saga-revision.ts';
import type { SagaStore } from '../../lib/saga/saga-store.ts';

const CURRENT = 'the commit id that is stored now';

/** For tests of versions: as if the handler had read this version of the saga that is stored now. */
export function revisionOf(version: number): SagaRevision {
  return { version, commitId: CURRENT };
}

/** Fills in the commit ids that `revisionOf` leaves open. */
export function withCurrentRevisions(committer: Committer, sagas: SagaStore): Committer {
  return {
    snapshot: (write) => committer.snapshot(write),
    readSnapshot: (kept) => committer.readSnapshot(kept),
    commit: async (commit, meter, terms) => {
      const { saga } = commit;
      const read = saga === undefined || saga.kind === 'create' ? undefined : saga.read;
      if (saga === undefined || saga.kind === 'create' || read?.commitId !== CURRENT) {
        return await committer.commit(commit, meter, terms);
      }
      const { stored } = await sagas.load(saga.saga, new CapacityMeter());
      const current = { version: read.version, commitId: stored?.revision.commitId ?? 'none' };
      return await committer.commit({ ...commit, saga: { ...saga, read: current } }, meter, terms);
    },
  };
}
