import { runLoad } from '../support/load-kill-verify/run-load.ts';
import { listedPlaces, undispatchedIds } from './checks/undispatched.ts';
import type { RoundSetting } from './handle-load.ts';

const tickMs = 500;

/**
 * Runs the relay until it has sent what sessions left to it, and nothing is on its list: a session answers whatever
 * becomes of its dispatch. It finds only what the watcher has listed. Without anything to find, nothing runs.
 *
 * @param requests the ids of their records
 * @returns the ids of all other records that are not dispatched: no relay should have to send those
 */
export async function relayRest(
  { dynamoDB, resources, fleet, signal }: RoundSetting,
  requests: ReadonlySet<string>,
): Promise<string[]> {
  const undispatched = await undispatchedIds(dynamoDB, resources.table);
  let ended = -1;
  const look = async () => {
    const ids = await undispatchedIds(dynamoDB, resources.table);
    const listed = await listedPlaces(dynamoDB, resources.table);
    const left = ids.filter((id) => requests.has(id)).length + listed.length;
    if (left > 0 && fleet.relaysEnded > ended) {
      ended = fleet.relaysEnded;
      fleet.relayOnce('listed');
    }
    return { isSettled: left === 0, progress: left };
  };
  // What is left all the same shows when the round is judged.
  await runLoad({ look, tickMs }, signal);
  return undispatched.filter((id) => !requests.has(id));
}
