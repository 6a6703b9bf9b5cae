import type { SharedCommit } from '../engine/journal.ts';
import { counterNames } from './counters.ts';

/** Whether commits of several sagas shared the transaction. */
export function isMerged({ sagas }: SharedCommit): boolean {
  return sagas.length > 1;
}

/** How many transactions committed several messages of one saga, by the name of the hot saga in them. */
export function coalescedCommits(commits: readonly SharedCommit[]): Record<string, number> {
  const coalesced = commits.filter(({ records, sagas }) => records > sagas.length);
  return Object.fromEntries(
    counterNames.map((name) => [name, coalesced.filter(({ sagas }) => sagas.includes(name)).length]),
  );
}
