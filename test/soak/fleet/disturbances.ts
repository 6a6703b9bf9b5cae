import { setTimeout as delay } from 'node:timers/promises';
import type { Companion } from '../../support/load-kill-verify/beside.ts';
import type { Random } from '../../support/random.ts';
import type { BlackHoles, BlackHoleTimes } from '../faults/black-holes.ts';
import type { Fleet } from './fleet.ts';

/** From, and up to. */
const betweenKillsMs = [1500, 4000] as const;
const betweenRelaysMs = [1500, 3500] as const;
/** In a round; what a worker that is killed has not told does not count. */
const minRelays = 2;

export interface Disturbances {
  /** When they end, so do kills and black holes: one that is there ends. */
  readonly companions: readonly Companion[];
  /** No relay from now on, once a few have run: what is undispatched then stays so, and shows. */
  readonly endRelays: () => void;
}

export interface DisturbanceOptions {
  readonly kills: boolean;
  readonly blackHoles: BlackHoles;
  /** None without. */
  readonly blackHoleTimes: BlackHoleTimes | undefined;
}

/** Relays, kills of workers and black holes, at random times. */
export function disturbances(
  fleet: Fleet,
  random: Random,
  { kills, blackHoles, blackHoleTimes }: DisturbanceOptions,
): Disturbances {
  let isLate = false;
  const relay = () => {
    if (!isLate || fleet.relaysEnded < minRelays) fleet.relayOnce();
  };
  const kill = () => {
    // An invocation that is killed does not run into its time limit.
    if (!blackHoles.isOn) fleet.killOne();
  };
  const companions = [repeating(random, betweenRelaysMs, relay)];
  if (kills) companions.push(repeating(random, betweenKillsMs, kill));
  if (blackHoleTimes) {
    const { durationMs, betweenMs } = blackHoleTimes;
    companions.push(repeating(random, betweenMs, (signal) => blackHoles.open(durationMs, signal)));
  }
  return {
    companions,
    endRelays: () => {
      isLate = true;
    },
  };
}

function repeating(
  random: Random,
  [shortest, longest]: readonly [number, number],
  act: (signal: AbortSignal) => void | Promise<void>,
): Companion {
  return async (signal) => {
    while (!signal.aborted) {
      const wait = delay(shortest + random.below(longest - shortest), undefined, { signal });
      await wait.then(
        () => act(signal),
        () => undefined,
      );
    }
  };
}
