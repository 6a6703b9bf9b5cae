import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/cost/random.ts';
import type { BlackHoles, BlackHoleTimes } from '../faults/black-holes.ts';
import type { Fleet } from './fleet.ts';

/** From, and up to. */
const betweenKillsMs = [1500, 4000] as const;
const betweenRecoveriesMs = [1500, 3500] as const;

export interface Disturbance {
  /** No recovery from now on: what is undispatched then stays so, and shows. */
  readonly endRecoveries: () => void;
  /** No kills and no black holes either: one that is there ends. */
  readonly end: () => Promise<void>;
}

export interface DisturbanceOptions {
  /** Whether workers are killed. */
  readonly kill: boolean;
  readonly blackHoles: BlackHoles;
  /** None without. */
  readonly blackHoleTimes: BlackHoleTimes | undefined;
}

/** Lets workers run the recovery, kills them where that is wanted, and lets services give no answer, at random times. */
export function disturb(
  fleet: Fleet,
  random: Random,
  { kill, blackHoles, blackHoleTimes }: DisturbanceOptions,
): Disturbance {
  const recoveries = new AbortController();
  const others = new AbortController();
  const repeat = async (
    [shortest, longest]: readonly [number, number],
    act: () => void | Promise<void>,
    { signal }: AbortController,
  ): Promise<void> => {
    while (!signal.aborted) {
      const wait = delay(shortest + random.below(longest - shortest), undefined, { signal });
      await wait.then(act, () => undefined);
    }
  };
  const killOne = () => {
    // A killed invocation would not run into its time limit.
    if (!blackHoles.isOn) fleet.killOne();
  };
  const repeating = Promise.all([
    ...(kill ? [repeat(betweenKillsMs, killOne, others)] : []),
    ...(blackHoleTimes
      ? [
          repeat(
            blackHoleTimes.betweenMs,
            () => blackHoles.open(blackHoleTimes.durationMs, others.signal),
            others,
          ),
        ]
      : []),
    repeat(betweenRecoveriesMs, () => fleet.recoverOnce(), recoveries),
  ]);
  return {
    endRecoveries: () => recoveries.abort(),
    end: async () => {
      recoveries.abort();
      others.abort();
      await repeating;
    },
  };
}
