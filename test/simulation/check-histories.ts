import fc from 'fast-check';
import { type Counts, Tally } from '../support/tally.ts';
import type { OutboxPlan } from './outbox-plans.ts';
import { type Mode, modes, type Scenario, scenarios } from './scenario.ts';
import { Simulation } from './simulation.ts';
import { histories } from './steps.ts';
import type { Invariant } from './violation.ts';

/** Runs of one seed of fast-check; the next ones have the next seed. */
const RUNS_PER_SEED = 1_000;

export interface CheckOptions {
  readonly seed: number;
  readonly runs: number;
  /** @default all */
  readonly modes?: readonly Mode[];
  /** Of the saga. @default 'records' */
  readonly outbox?: OutboxPlan;
  /** Repeats one run of the seed, as {@link Failure.path} tells it. */
  readonly path?: string | undefined;
  /** Whether a failure is brought to its smallest history. */
  readonly shrinks?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (runs: number) => void;
}

export interface Failure {
  readonly invariant: Invariant | 'error';
  readonly message: string;
  /** These two repeat it. */
  readonly seed: number;
  readonly path: string;
  /** Of the run: they are part of what the seed stands for. */
  readonly modes: Mode | 'all';
  readonly outbox: OutboxPlan;
  /** The smallest that fails, in words. */
  readonly history: readonly string[];
}

export interface CheckResult {
  readonly runs: number;
  /** How often each thing happened: what never happens is not tested. */
  readonly counts: Counts;
  readonly failure: Failure | undefined;
}

export async function checkHistories(options: CheckOptions): Promise<CheckResult> {
  const coverage = new Tally();
  let runs = 0;
  while (runs < options.runs && !options.signal?.aborted) {
    const seed = seedAfter(options.seed, Math.floor(runs / RUNS_PER_SEED));
    const batch = await checkSeed(seed, Math.min(RUNS_PER_SEED, options.runs - runs), options, coverage);
    runs += batch.runs;
    options.onProgress?.(runs);
    if (batch.failure || options.path !== undefined)
      return { runs, counts: coverage.counts, failure: batch.failure };
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { runs, counts: coverage.counts, failure: undefined };
}

/** The first one as it is, the others far from those of a neighbour. */
function seedAfter(seed: number, batches: number): number {
  return (seed + Math.imul(batches, 0x9e3779b1)) | 0;
}

async function checkSeed(
  seed: number,
  numRuns: number,
  { path, modes: among = modes, outbox = 'records', shrinks = true }: CheckOptions,
  coverage: Tally,
): Promise<{ runs: number; failure: Failure | undefined }> {
  // Which steps of the commands were left over is a path of its own.
  const [runPath, replayPath] = path?.split('|') ?? [];
  const property = fc.asyncProperty(
    scenarios(among, outbox),
    histories(outbox, replayPath),
    async (scenario, steps) => {
      await simulate(scenario, steps, coverage);
    },
  );
  const details = await fc.check(property, {
    seed,
    numRuns,
    endOnFailure: !shrinks,
    ...(runPath !== undefined && { path: runPath }),
  });
  const runs = details.numRuns;
  if (!details.failed || details.counterexample === null) return { runs, failure: undefined };
  const [scenario, steps] = details.counterexample;
  const error = details.errorInstance as Error & { invariant?: Invariant };
  const left = /replayPath="([^"]*)"/.exec(String(steps))?.[1];
  const history = await tellHistory(scenario, steps);
  const failure: Failure = {
    invariant: error.invariant ?? 'error',
    message: error.invariant ? error.message : String(error.stack),
    seed,
    path: [details.counterexamplePath ?? '', ...(left === undefined ? [] : [left])].join('|'),
    modes: among.length === 1 && among[0] ? among[0] : 'all',
    outbox,
    history,
  };
  return { runs, failure };
}

type Steps = Parameters<typeof fc.asyncModelRun<object, Simulation, false, object>>[1];

async function simulate(scenario: Scenario, steps: Steps, coverage: Tally, trace?: string[]): Promise<void> {
  const simulation = new Simulation(scenario, coverage, trace);
  await fc.asyncModelRun(() => ({ model: {}, real: simulation }), steps);
  await simulation.comeToRest();
}

async function tellHistory(scenario: Scenario, steps: Steps): Promise<string[]> {
  const trace: string[] = [];
  try {
    await simulate(scenario, steps, new Tally(), trace);
  } catch {
    // It is told by now.
  }
  return [JSON.stringify(scenario), String(steps), ...trace];
}
