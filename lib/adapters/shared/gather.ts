import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../ports.ts';
import type { InFlight } from './in-flight.ts';

/**
 * So long may work that is under way hold up the requests that wait for it, so that one slow call does not
 * delay all others.
 */
export const MAX_GATHER_MS = 100;

/**
 * For requests that come when other work has ended, each at another moment. With no such work under way, as
 * for a single message, it is this turn of the event loop only.
 *
 * @param before the work that such requests come after
 */
export function gatherBehind(before: InFlight, clock: Clock): (left: Promise<void>) => Promise<void> {
  return async (left) => {
    await before.untilIdle((over) => clock.sleep(MAX_GATHER_MS, over), left);
    await setImmediate();
  };
}
