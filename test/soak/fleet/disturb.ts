import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/cost/random.ts';
import type { Fleet } from './fleet.ts';

/** From, and up to. */
const betweenKillsMs = [1500, 4000] as const;
const betweenRecoveriesMs = [1500, 3500] as const;

export interface Disturbance {
  /** No recovery from now on: what is undispatched then stays so, and shows. */
  readonly endRecoveries: () => void;
  /** No kills either. */
  readonly end: () => Promise<void>;
}

/** Lets workers run the recovery, and kills them where that is wanted, at random times. */
export function disturb(fleet: Fleet, random: Random, { kill }: { readonly kill: boolean }): Disturbance {
  const recoveries = new AbortController();
  const kills = new AbortController();
  const repeat = async (
    [shortest, longest]: readonly [number, number],
    act: () => void,
    { signal }: AbortController,
  ): Promise<void> => {
    while (!signal.aborted) {
      const wait = delay(shortest + random.below(longest - shortest), undefined, { signal });
      await wait.then(act, () => undefined);
    }
  };
  const repeating = Promise.all([
    ...(kill ? [repeat(betweenKillsMs, () => fleet.killOne(), kills)] : []),
    repeat(betweenRecoveriesMs, () => fleet.recoverOnce(), recoveries),
  ]);
  return {
    endRecoveries: () => recoveries.abort(),
    end: async () => {
      recoveries.abort();
      kills.abort();
      await repeating;
    },
  };
}
