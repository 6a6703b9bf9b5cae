import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Mutation } from '../simulation/mutation.ts';
import { withClients } from '../support/own-engines/clients.ts';
import type { Engines } from '../support/own-engines/engines.ts';
import { Tally } from '../support/tally.ts';
import { type Growth, growthOf } from './checks/growth.ts';
import { type BlackHolesOptions, type BlackHoleTimes, withBlackHoles } from './faults/black-holes.ts';
import type { FaultRates } from './faults/fault-kinds.ts';
import { withWorkerBundle } from './fleet/bundle-worker.ts';
import { Fleet, type FleetOptions } from './fleet/fleet.ts';
import type { RoundSetting } from './handle-load.ts';
import type { RoundOptions } from './options.ts';
import { withResources } from './resources.ts';
import { type RoundFigures, runRound } from './round.ts';

export interface SoakFigures {
  readonly rounds: readonly RoundFigures[];
  /** Nothing when there were too few samples to tell. */
  readonly growth: Growth | undefined;
  /** What workers could not do, in words; and those that ended though nobody killed them. */
  readonly workerFailures: readonly string[];
}

export interface SoakRun extends RoundOptions {
  /** Rounds are begun until they are over, and until growth can be judged; 0 for one round. */
  readonly minutes: number;
  /** Without it, messages are to be applied twice: to see that it shows. */
  readonly outbox?: boolean;
  /** A fault in the package's own sources, that is to show. */
  readonly mutation?: Mutation;
  /** With it, the workers lose memory and handles: to see that it shows. */
  readonly leak?: boolean;
  /** After which what was not acknowledged comes back: shorter in a small round, which waits for it in the end. */
  readonly visibilityTimeoutSeconds?: number;
  /** No worker is killed without deaths. */
  readonly rates?: FaultRates;
  /** No black holes without. */
  readonly blackHoleTimes?: BlackHoleTimes | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
  readonly onRound?: (figures: RoundFigures, round: number) => void;
  readonly onStarted?: (processIds: readonly number[]) => void;
}

/** Of a million; there are about ten kinds of faults of calls. */
export const faultRates: FaultRates = { request: 6000, call: 3000, death: 700, handler: 5000 };

/** Runs rounds with the same workers until the time is over, and removes everything at the end. */
export async function runSoak(engines: Engines, run: SoakRun): Promise<SoakFigures> {
  const {
    outbox = true,
    rates = faultRates,
    leak = false,
    mutation,
    workers,
    seed,
    signal,
    visibilityTimeoutSeconds,
  } = run;
  return await withClients(engines, ({ dynamoDBClient: dynamoDB, sqsClient: sqs }) =>
    withResources(sqs, engines, { name: `soak-${randomUUID()}`, visibilityTimeoutSeconds }, (resources) =>
      withWorkerBundle(mutation, (bundle) => {
        const tally = new Tally();
        const journalFile = join(bundle.folder, 'journal');
        return withBlackHoles(blackHolesOptions(engines, seed, tally, journalFile), (blackHoles) => {
          const functionEndpoints = blackHoles.endpoints;
          const setup = { resources, functionEndpoints, journalFile, rates, outbox, leak };
          return withFleet({ bundle, setup, tally, workers, seed, signal }, (fleet) =>
            runRounds(
              {
                options: run,
                resources,
                fleet,
                journalFile,
                kills: rates.death > 0,
                blackHoles,
                blackHoleTimes: run.blackHoleTimes,
                dynamoDB,
                sqs,
                signal,
                onProgress: run.onProgress ?? (() => {}),
              },
              run,
            ),
          );
        });
      }),
    ),
  );
}

function blackHolesOptions(
  engines: Engines,
  seed: number,
  tally: Tally,
  journalFile: string,
): BlackHolesOptions {
  return {
    engines,
    seed,
    journalFile,
    onBlackHole: (services) => tally.add(`black hole of ${services}`),
    onSilence: (service, silence) => tally.add(`silence ${service} ${silence}`),
  };
}

async function withFleet<T>(options: FleetOptions, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const fleet = new Fleet(options);
  try {
    await fleet.ready();
    return await work(fleet);
  } finally {
    await fleet.stop();
  }
}

async function runRounds(
  setting: RoundSetting,
  { minutes, onStarted, onRound }: SoakRun,
): Promise<SoakFigures> {
  const { fleet, signal } = setting;
  onStarted?.(fleet.processIds);
  const rounds: RoundFigures[] = [];
  const growth = () => growthOf(rounds.map(({ samples }) => samples));
  const endsAt = performance.now() + minutes * 60_000;
  do {
    signal.throwIfAborted();
    const figures = await runRound(setting, rounds.length + 1);
    rounds.push(figures);
    onRound?.(figures, rounds.length);
  } while (performance.now() < endsAt || (minutes > 0 && growth() === undefined));
  return { rounds, growth: growth(), workerFailures: fleet.failures };
}
