import { setTimeout as delay } from 'node:timers/promises';
import { undispatchedIds } from './checks/undispatched.ts';
import type { RoundSetting } from './handle-load.ts';

const tickMs = 100;
/** Records have to reach the age that the relay asks for, and a dead relay's lease has to end. */
const patienceMs = 30_000;

/**
 * Runs the relay until it has sent what sessions left to it, for a while at most: a session answers whatever
 * becomes of its dispatch. Without one that did so, nothing runs.
 *
 * @param requests the ids of their records
 * @returns the ids of all other records that are not dispatched: no relay should have to send those
 */
export async function relayRest(
  { dynamoDB, resources, fleet, signal }: RoundSetting,
  requests: ReadonlySet<string>,
): Promise<string[]> {
  const undispatched = await undispatchedIds(dynamoDB, resources.table);
  const endsAt = performance.now() + patienceMs;
  let left = undispatched;
  while (left.some((id) => requests.has(id)) && performance.now() < endsAt) {
    const { relaysEnded } = fleet;
    fleet.relayOnce();
    while (fleet.relaysEnded === relaysEnded && performance.now() < endsAt)
      await delay(tickMs, undefined, { signal });
    left = await undispatchedIds(dynamoDB, resources.table);
  }
  return undispatched.filter((id) => !requests.has(id));
}
