import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { Random } from '../../bench/cost/random.ts';
import { gatherEvidence } from './checks/gather-evidence.ts';
import { judge, type Verdict } from './checks/judge.ts';
import { disturb } from './fleet/disturb.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Counts, Sample } from './fleet/worker-protocol.ts';
import { LedgerQueue } from './ledger-queue.ts';
import type { RoundOptions } from './options.ts';
import { produce } from './produce.ts';
import { createTables, deleteTables, depthOf, type Resources } from './resources.ts';
import { planRound, type RoundPlan } from './subject/plan.ts';

export interface RoundSetting {
  readonly options: RoundOptions;
  readonly resources: Resources;
  readonly fleet: Fleet;
  /** Whether workers are killed. */
  readonly kill: boolean;
  readonly dynamoDB: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface RoundFigures {
  readonly messages: number;
  /** Sent twice, or delivered again after they were handled. */
  readonly duplicates: number;
  /** Messages that the handlers sent, as they arrived, repeated ones included. */
  readonly arrived: number;
  /** Arrived once more than needed. */
  readonly arrivedAgain: number;
  readonly counts: Counts;
  readonly seconds: number;
  readonly verdict: Verdict;
  /** False when nothing moved any more, with messages left. */
  readonly settled: boolean;
  /** Of the worker that lives, at each quarter of the round. */
  readonly samples: readonly Sample[];
}

const tickMs = 200;
/** Longer than anything in a round may take. */
const stallMs = 90_000;

/** One load: with faults and kills until it is handled, then without, until nothing is left; then its effects are checked. */
export async function runRound(setting: RoundSetting, round: number): Promise<RoundFigures> {
  const { options, resources, fleet, dynamoDB, sqs } = setting;
  const seed = options.seed + round * 1_000_003;
  const plan = planRound(options, `r${round}`, seed);
  await createTables(dynamoDB, resources);
  const ledger = new LedgerQueue(sqs, resources.ledgerQueueUrl);
  try {
    const startedAt = performance.now();
    const samples: Sample[] = [];
    const settled = await handleAll(setting, plan, round, seed, samples);
    const seconds = (performance.now() - startedAt) / 1000;
    samples.push(await fleet.pause());
    await ledger.stop();
    const { entries } = ledger;
    const verdict = judge(await gatherEvidence({ dynamoDB, sqs, resources, plan, entries }));
    const { bookings, inquiries, notices, closings } = plan;
    const messages = [...bookings, ...inquiries, ...notices, ...closings];
    const repeated = messages.filter(({ duplicate }) => duplicate !== 'no');
    return {
      messages: messages.length,
      duplicates: repeated.length,
      arrived: entries.length,
      arrivedAgain: entries.length - new Set(entries.map(({ id }) => id)).size,
      counts: fleet.tally.take(),
      seconds,
      verdict,
      settled,
      samples,
    };
  } finally {
    await ledger.stop().catch(() => undefined);
    await deleteTables(dynamoDB, resources);
  }
}

async function handleAll(
  setting: RoundSetting,
  plan: RoundPlan,
  round: number,
  seed: number,
  samples: Sample[],
): Promise<boolean> {
  const { resources, fleet, sqs } = setting;
  const disturbance = disturb(fleet, new Random(seed), { kill: setting.kill });
  try {
    fleet.work(true);
    await produce(sqs, resources.queueUrl, plan.deliveries);
    const quarters = [0.75, 0.5, 0.25].map((share) => share * plan.deliveries.length);
    const settled = await settle(setting, `round ${round}`, async (waiting) => {
      if (waiting >= (quarters[0] ?? 0)) return;
      quarters.shift();
      if (quarters.length < 2) disturbance.endRecoveries();
      samples.push(await fleet.sample());
    });
    await produce(sqs, resources.queueUrl, plan.closingDeliveries);
    if (!(await settle(setting, `round ${round}, closing`)) || !settled) return false;
  } finally {
    await disturbance.end();
  }
  fleet.calm();
  return await settle(setting, `round ${round}, without faults`);
}

/** @returns whether both queues are empty; false when nothing has moved for long */
async function settle(
  setting: RoundSetting,
  name: string,
  onTick: (waiting: number) => Promise<void> = async () => {},
): Promise<boolean> {
  const { resources, fleet, sqs, signal, onProgress } = setting;
  let movedAt = performance.now();
  let lastDepth = Number.NaN;
  for (;;) {
    await delay(tickMs, undefined, { signal });
    const waiting = await depthOf(sqs, resources.queueUrl);
    const sent = await depthOf(sqs, resources.ledgerQueueUrl);
    if (waiting + sent === 0) return true;
    await onTick(waiting);
    onProgress(`${name}: ${waiting} messages left, ${fleet.tally.of('deaths')} workers killed`);
    if (waiting + sent !== lastDepth) movedAt = performance.now();
    lastDepth = waiting + sent;
    if (performance.now() - movedAt > stallMs) return false;
  }
}
