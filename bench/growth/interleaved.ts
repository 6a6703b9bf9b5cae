import { median } from '../../test/support/median.ts';

/**
 * The median time of each work in microseconds. They take turns, one run each, so that whatever else the
 * machine does falls on all of them alike.
 *
 * @param warmUp runs that are not counted
 */
export async function interleavedMicros(
  works: readonly (() => Promise<unknown>)[],
  { runs, warmUp }: { readonly runs: number; readonly warmUp: number },
  signal: AbortSignal,
): Promise<number[]> {
  const micros = works.map((work) => ({ work, taken: [] as number[] }));
  for (let run = 0; run < warmUp + runs; run += 1) {
    // None always comes after the same other one.
    for (const { work, taken } of run % 2 === 0 ? micros : micros.toReversed()) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      await work();
      if (run >= warmUp) taken.push((performance.now() - startedAt) * 1000);
    }
  }
  return micros.map(({ taken }) => median(taken));
}
