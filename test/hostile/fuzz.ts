import fc from 'fast-check';
import { assertIntrinsicsUntouched } from './intrinsics.ts';
import { processorMs } from './processor-time.ts';
import { Watchdog } from './watchdog.ts';

/**
 * How these tests are run at length. Each failure prints its seed and path, and the smallest case that still
 * fails.
 *
 * - `SAGABOX_FUZZ_RUNS`: the runs of each property, in place of its own small number. `SAGABOX_FUZZ_RUNS=5000
 *   npm run proofs -- test/hostile`
 * - `SAGABOX_FUZZ_SEED`: the only seed that is run, to repeat a failure.
 * - `SAGABOX_FUZZ_CASE_MS`: the processor time that one case may take.
 *
 * Without them each property runs twice: with a fixed seed, the same everywhere, and with a fresh one, to go
 * on searching.
 */
const environment = process.env;
const FIXED_SEED = 20_260_101;

/**
 * A case that takes more processor time is a failure with its seed. One that blocks for ever ends the process,
 * with its seed in stderr.
 */
const maxCaseMs = Number(environment.SAGABOX_FUZZ_CASE_MS ?? 10_000);

/** A case that waits for longer waits for what never comes: a failure with its seed. */
const MAX_WAIT_MS = 60_000;

/** The search for the smallest case of a failure ends here, so that its seed is told before Jest gives up. */
const MAX_SHORT_SEARCH_MS = 100_000;

const isLong = environment.SAGABOX_FUZZ_RUNS !== undefined;

/** Time for jest: the numbers of runs are chosen for seconds, and a search at length takes what it takes. */
export const fuzzTimeoutMs = isLong ? 3_600_000 : 120_000;

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
      let started = 0;
      const property = fc.asyncProperty(values, async (value) => {
        started += 1;
        await endsInTime(watchdog, started, seed, async () => await holds(value));
        assertIntrinsicsUntouched();
      });
      await fc.assert(property, {
        seed,
        numRuns,
        examples: examples.map((example): [T] => [example]),
        timeout: MAX_WAIT_MS,
        markInterruptAsFailure: true,
        ...(isLong ? {} : { interruptAfterTimeLimit: MAX_SHORT_SEARCH_MS }),
      });
    }
  } finally {
    await watchdog.stop();
  }
}

/** Fast-check knows the clock of the wall only, and no timer of a case that blocks fires in time. */
async function endsInTime(
  watchdog: Watchdog,
  caseNumber: number,
  seed: number,
  run: () => Promise<void>,
): Promise<void> {
  const startedAt = processorMs();
  watchdog.start(caseNumber, seed);
  try {
    await run();
  } finally {
    watchdog.end(caseNumber);
  }
  const tookMs = processorMs() - startedAt;
  if (tookMs <= maxCaseMs) return;
  throw new Error(
    `The case took ${Math.round(tookMs)} ms of the processor, over the ${maxCaseMs} ms of one case`,
  );
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
