import type { InFlight } from './in-flight.ts';

/**
 * So long may work that is under way hold up the requests that wait for it, so that one slow call does not
 * delay all others.
 */
export const MAX_GATHER_MS = 100;

export interface GatherTime {
  /** Until the next turn of the event loop. */
  nextTurn(): Promise<void>;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * For requests that come when other work has ended, each at another moment. With no such work under way, as
 * for a single message, it is this turn only.
 *
 * @param before the work that such requests come after
 */
export function gatherBehind(before: InFlight, time: GatherTime): (left: Promise<void>) => Promise<void> {
  return async (left) => {
    await before.untilIdle((over) => time.sleep(MAX_GATHER_MS, over), left);
    await time.nextTurn();
  };
}
