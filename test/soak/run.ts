import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Engines } from '../../bench/engines/engines.ts';
import type { Mutation } from '../simulation/mutations.ts';
import { type Growth, growthOf } from './checks/growth.ts';
import type { FaultRates } from './faults/fault-kinds.ts';
import { bundleWorker } from './fleet/bundle-worker.ts';
import { Fleet } from './fleet/fleet.ts';
import type { RoundOptions } from './options.ts';
import { createQueues, deleteQueues } from './resources.ts';
import { type RoundFigures, runRound } from './round.ts';

export interface SoakFigures {
  readonly rounds: readonly RoundFigures[];
  /** Nothing when there were too few samples to tell. */
  readonly growth: Growth | undefined;
  /** Workers that ended though nobody killed them, by the last that they wrote. */
  readonly unexplainedEnds: readonly string[];
}

export interface SoakRun extends RoundOptions {
  /** Rounds are begun until they are over, and until growth can be judged; 0 for one round. */
  readonly minutes: number;
  /** Without it, messages are to be applied twice: to see that it shows. */
  readonly outbox?: boolean;
  /** A fault in the package's own sources, that is to show. */
  readonly mutation?: Mutation;
  /** With it, the workers lose memory: to see that it shows. */
  readonly leak?: boolean;
  /** No worker is killed without deaths. */
  readonly rates?: FaultRates;
  readonly signal: AbortSignal;
  readonly onProgress?: (text: string) => void;
  readonly onRound?: (figures: RoundFigures, round: number) => void;
  /** Told of the process ids when the workers are there. */
  readonly onStarted?: (processIds: readonly number[]) => void;
}

/** Of a million calls; there are about ten kinds of faults. */
export const faultRates: FaultRates = { request: 6000, call: 3000, death: 700 };
const identity = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Rounds on the given engines, with the same workers, until the time is over. */
export async function runSoak(engines: Engines, run: SoakRun): Promise<SoakFigures> {
  const { minutes, outbox = true, rates = faultRates, leak = false, mutation } = run;
  const { signal, onProgress = () => {}, onRound, onStarted } = run;
  const dynamoDB = new DynamoDBClient({ ...identity, endpoint: engines.dynamoDBEndpoint });
  const sqs = new SQSClient({ ...identity, endpoint: engines.sqsEndpoint });
  try {
    const resources = await createQueues(sqs, engines, `soak-${randomUUID()}`);
    const bundle = await bundleWorker(mutation);
    const fleet = new Fleet({
      bundle,
      setup: { resources, rates, outbox, leak },
      workers: run.workers,
      seed: run.seed,
    });
    try {
      await fleet.ready();
      onStarted?.(fleet.processIds);
      const rounds: RoundFigures[] = [];
      const growth = () => growthOf(rounds.map(({ samples }) => samples));
      const endsAt = performance.now() + minutes * 60_000;
      do {
        signal.throwIfAborted();
        const round = rounds.length + 1;
        const kill = rates.death > 0;
        const setting = { options: run, resources, fleet, kill, dynamoDB, sqs, signal, onProgress };
        rounds.push(await runRound(setting, round));
        onRound?.(rounds.at(-1) as RoundFigures, round);
      } while (performance.now() < endsAt || (minutes > 0 && growth() === undefined));
      return { rounds, growth: growth(), unexplainedEnds: fleet.unexplainedEnds };
    } finally {
      await fleet.stop();
      await bundle.remove();
      await deleteQueues(sqs, resources);
    }
  } finally {
    dynamoDB.destroy();
    sqs.destroy();
  }
}
