import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { Random } from '../support/random.ts';
import { depthOf } from '../support/received-records.ts';
import { type DisturbanceOptions, disturb } from './fleet/disturb.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Sample } from './fleet/worker-protocol.ts';
import type { RoundOptions } from './options.ts';
import { produce } from './produce.ts';
import { relayRest } from './relay-rest.ts';
import type { Resources } from './resources.ts';
import type { RoundPlan } from './subject/plan.ts';
import { recordIdOf } from './subject/request.ts';

export interface RoundSetting extends DisturbanceOptions {
  readonly options: RoundOptions;
  readonly resources: Resources;
  readonly fleet: Fleet;
  readonly journalFile: string;
  readonly dynamoDB: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface Load {
  readonly plan: RoundPlan;
  readonly name: string;
  readonly seed: number;
}

export interface HandledLoad {
  /** False when nothing moved any more, with messages left. */
  readonly settled: boolean;
  /** Of the worker that lives. */
  readonly samples: readonly Sample[];
  /** The ids of records that were not dispatched when all was handled, but for those that a relay may find. */
  readonly undispatched: readonly string[];
}

/** A sample is taken after each part of the load but the last; fewer if they are handled faster. */
const parts = 12;
const tickMs = 100;
/** Longer than anything in a round may take. */
const stallMs = 90_000;

/** Sends the messages of a round, and waits until they are handled: first with faults, then without. */
export async function handleLoad(setting: RoundSetting, { plan, name, seed }: Load): Promise<HandledLoad> {
  const { resources, fleet, sqs } = setting;
  const samples: Sample[] = [];
  const disturbance = disturb(fleet, new Random(seed), setting);
  try {
    fleet.deploy();
    await produce(sqs, resources.queueUrl, plan.deliveries);
    let partsLeft = parts;
    const settled = await settle(setting, name, async (waiting) => {
      const left = Math.ceil((parts * waiting) / plan.deliveries.length);
      if (left >= partsLeft) return;
      partsLeft = left;
      if (left <= parts / 2) disturbance.endRelays();
      samples.push(await fleet.sample());
    });
    // No message of the release before comes again.
    await fleet.pause();
    fleet.deploy();
    await produce(sqs, resources.queueUrl, plan.closingDeliveries);
    if (!(await settle(setting, `${name}, closing`)) || !settled)
      return { settled: false, samples, undispatched: [] };
  } finally {
    await disturbance.end();
  }
  fleet.calm();
  const settled = await settle(setting, `${name}, without faults`);
  const requests = new Set(plan.requests.map(({ id }) => recordIdOf(id)));
  const undispatched = await relayRest(setting, requests);
  return { settled: (await settle(setting, `${name}, the rest`)) && settled, samples, undispatched };
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
    const waiting = await messagesIn(sqs, resources.queueUrl);
    const sent = await messagesIn(sqs, resources.ledgerQueueUrl);
    if (waiting + sent === 0) return true;
    await onTick(waiting);
    onProgress(`${name}: ${waiting} messages left, ${fleet.tally.of('deaths')} workers killed`);
    if (waiting + sent !== lastDepth) movedAt = performance.now();
    lastDepth = waiting + sent;
    if (performance.now() - movedAt > stallMs) return false;
  }
}

async function messagesIn(sqs: SQSClient, queueUrl: string): Promise<number> {
  const { now, delayed } = await depthOf(sqs, queueUrl);
  return now + delayed;
}
