import { runLoad } from '../../support/load-kill-verify/run-load.ts';
import type { Killer } from './killer.ts';
import type { ProofSubject } from './proof-subject.ts';

const tickMs = 1_000;

/** Places more orders while fewer processes were killed than should be: whether one is met at work is chance. */
export async function placeUntilKilled(
  proof: ProofSubject,
  killer: Killer,
  signal: AbortSignal,
): Promise<void> {
  let placed = 0;
  const look = async () => {
    if (!killer.isDone) await proof.place([`more-${++placed}`]);
    return { isSettled: killer.isDone, progress: killer.kills };
  };
  await runLoad({ look, tickMs }, signal);
}
