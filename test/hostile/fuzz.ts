import fc from 'fast-check';
import { assertIntrinsicsUntouched } from './intrinsics.ts';
import { Watchdog } from './watchdog.ts';

/**
 * How these tests are run at length. Each failure prints its seed and path, and the smallest case that still
 * fails.
 *
 * - `SAGABOX_FUZZ_RUNS`: the runs of each property, in place of its own small number. `SAGABOX_FUZZ_RUNS=5000
 *   npm run proofs -- test/hostile`
 * - `SAGABOX_FUZZ_SEED`: the only seed that is run, to repeat a failure.
 * - `SAGABOX_FUZZ_CASE_MS`: the time that one case may take.
 *
 * Without them each property runs twice: with a fixed seed, the same everywhere, and with a fresh one, to go
 * on searching.
 */
const environment = process.env;
const FIXED_SEED = 20_260_101;

/**
 * A case that takes longer is a failure with its seed: one that waits for what never comes, and one that
 * blocks for so long. One that blocks for ever ends the process, with its seed in stderr.
 */
const maxCaseMs = Number(environment.SAGABOX_FUZZ_CASE_MS ?? 10_000);

/**
 * The search for the smallest case of a failure ends here; a busy machine makes fewer runs than it was asked
 * for.
 */
const MAX_SHORT_RUN_MS = 20_000;

/** With a smaller share of its runs than this a property was not tested, and fails. */
const MIN_SHARE_OF_RUNS = 0.2;

const isLong = environment.SAGABOX_FUZZ_RUNS !== undefined;

/** Time for jest: the numbers of runs are chosen for seconds, and a search at length takes what it takes. */
export const fuzzTimeoutMs = isLong ? 3_600_000 : 60_000;

/**
 * Checks that a property holds for all values, and that no value changed what all objects share.
 *
 * @param runs with the fixed seed; with a fresh one it is half as many
 * @param examples values that are too rare to be met by chance: run each time, before all others
 */
export async function holdsForAll<T>(
  values: fc.Arbitrary<T>,
  runs: number,
  holds: (value: T) => Promise<void> | void,
  examples: readonly T[] = [],
): Promise<void> {
  const watchdog = new Watchdog(currentTestName(), maxCaseMs);
  try {
    for (const [seed, share] of seeds()) {
      const searched = Math.max(1, Math.ceil(Number(environment.SAGABOX_FUZZ_RUNS ?? runs) * share));
      const numRuns = examples.length + searched;
      let [started, completed] = [0, 0];
      const property = fc.asyncProperty(values, async (value) => {
        started += 1;
        await endsInTime(watchdog, started, seed, async () => await holds(value));
        assertIntrinsicsUntouched();
        completed += 1;
      });
      await fc.assert(property, {
        seed,
        numRuns,
        examples: examples.map((example): [T] => [example]),
        timeout: maxCaseMs,
        ...(isLong ? {} : { interruptAfterTimeLimit: MAX_SHORT_RUN_MS }),
      });
      assertEnoughRuns(completed, numRuns);
    }
  } finally {
    await watchdog.stop();
  }
}

/** Where a case blocks and then ends, the timer of fast-check comes too late to see it. */
async function endsInTime(
  watchdog: Watchdog,
  caseNumber: number,
  seed: number,
  run: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  watchdog.start(caseNumber, seed);
  try {
    await run();
  } finally {
    watchdog.end(caseNumber);
  }
  const tookMs = performance.now() - startedAt;
  if (tookMs > maxCaseMs) {
    throw new Error(`The case took ${Math.round(tookMs)} ms, over the ${maxCaseMs} ms of one case`);
  }
}

/** Jest's own global: a program without jest may check properties too. */
function currentTestName(): string {
  const { expect } = globalThis as { expect?: { getState(): { currentTestName?: string } } };
  return expect?.getState().currentTestName ?? 'a property';
}

function seeds(): [number, number][] {
  const only = environment.SAGABOX_FUZZ_SEED;
  if (only !== undefined) return [[Number(only), 1]];
  return [
    [FIXED_SEED, 1],
    [Date.now() % 2 ** 31, 0.5],
  ];
}

/** An interrupted search counts as passed for fast-check. */
function assertEnoughRuns(completed: number, numRuns: number): void {
  if (completed >= Math.ceil(numRuns * MIN_SHARE_OF_RUNS)) return;
  throw new Error(
    `Only ${completed} of ${numRuns} runs came to their end in ${MAX_SHORT_RUN_MS} ms: nothing is proved by so few`,
  );
}
