import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { BlackHoles, BlackHoleTimes } from '../faults/black-holes.ts';
import type { Fleet } from './fleet.ts';

/** From, and up to. */
const betweenKillsMs = [1500, 4000] as const;
const betweenRelaysMs = [1500, 3500] as const;
/** In a round; what a worker that is killed has not told does not count. */
const minRelays = 2;

export interface Disturbance {
  /** No relay from now on, once a few have run: what is undispatched then stays so, and shows. */
  readonly endRelays: () => void;
  /** No kills and no black holes either: one that is there ends. */
  readonly end: () => Promise<void>;
}

export interface DisturbanceOptions {
  readonly kills: boolean;
  readonly blackHoles: BlackHoles;
  /** None without. */
  readonly blackHoleTimes: BlackHoleTimes | undefined;
}

/** Runs relays, kills workers and opens black holes at random times. */
export function disturb(
  fleet: Fleet,
  random: Random,
  { kills, blackHoles, blackHoleTimes }: DisturbanceOptions,
): Disturbance {
  const relays = new AbortController();
  const others = new AbortController();
  let isLate = false;
  const relay = () => {
    if (isLate && fleet.relaysEnded >= minRelays) relays.abort();
    else fleet.relayOnce();
  };
  const kill = () => {
    // An invocation that is killed does not run into its time limit.
    if (!blackHoles.isOn) fleet.killOne();
  };
  const repeating: Promise<void>[] = [repeat(random, betweenRelaysMs, relay, relays.signal)];
  if (kills) repeating.push(repeat(random, betweenKillsMs, kill, others.signal));
  if (blackHoleTimes) {
    const { durationMs, betweenMs } = blackHoleTimes;
    const open = () => blackHoles.open(durationMs, others.signal);
    repeating.push(repeat(random, betweenMs, open, others.signal));
  }
  return {
    endRelays: () => {
      isLate = true;
    },
    end: async () => {
      relays.abort();
      others.abort();
      await Promise.all(repeating);
    },
  };
}

async function repeat(
  random: Random,
  [shortest, longest]: readonly [number, number],
  act: () => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const wait = delay(shortest + random.below(longest - shortest), undefined, { signal });
    await wait.then(act, () => undefined);
  }
}
