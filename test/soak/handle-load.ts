import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { beside } from '../support/load-kill-verify/beside.ts';
import { runLoad } from '../support/load-kill-verify/run-load.ts';
import type { Look } from '../support/load-kill-verify/settle.ts';
import { Random } from '../support/random.ts';
import { messagesIn } from '../support/received-records.ts';
import { type DisturbanceOptions, disturbances } from './fleet/disturbances.ts';
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

/** Sends the messages of a round, and waits until they are handled: first with faults, then without. */
export async function handleLoad(setting: RoundSetting, { plan, name, seed }: Load): Promise<HandledLoad> {
  const { resources, fleet, sqs, signal } = setting;
  const samples: Sample[] = [];
  const { companions, endRelays } = disturbances(fleet, new Random(seed), setting);
  let partsLeft = parts;
  const sampled = async (waiting: number) => {
    const left = Math.ceil((parts * waiting) / plan.deliveries.length);
    if (left >= partsLeft) return;
    partsLeft = left;
    if (left <= parts / 2) endRelays();
    samples.push(await fleet.sample());
  };
  const release = async (deliveries: RoundPlan['deliveries']) => {
    fleet.deploy();
    await produce(sqs, resources.queueUrl, deliveries);
  };
  const rest = (part: string) => ({ look: () => lookAtQueues(setting, `${name}, ${part}`), tickMs });
  const handled = await beside(
    companions,
    async (own) => {
      const look = () => lookAtQueues(setting, name, sampled);
      const settled = await runLoad({ send: () => release(plan.deliveries), look, tickMs }, own);
      // No message of the release before comes again.
      await fleet.pause();
      const send = () => release(plan.closingDeliveries);
      return (await runLoad({ send, ...rest('closing') }, own)) && settled;
    },
    signal,
  );
  if (!handled) return { settled: false, samples, undispatched: [] };
  fleet.calm();
  const calmed = await runLoad(rest('without faults'), signal);
  const requests = new Set(plan.requests.map(({ id }) => recordIdOf(id)));
  const undispatched = await relayRest(setting, requests);
  return { settled: (await runLoad(rest('the rest'), signal)) && calmed, samples, undispatched };
}

/** Settled are queues that are both empty. */
async function lookAtQueues(
  { resources, fleet, sqs, onProgress }: RoundSetting,
  name: string,
  onLook: (waiting: number) => Promise<void> = async () => {},
): Promise<Look> {
  const waiting = await messagesIn(sqs, [resources.queueUrl]);
  const sent = await messagesIn(sqs, [resources.ledgerQueueUrl]);
  const isSettled = waiting + sent === 0;
  if (!isSettled) {
    await onLook(waiting);
    onProgress(`${name}: ${waiting} messages left, ${fleet.tally.of('deaths')} workers killed`);
  }
  return { isSettled, progress: waiting + sent };
}
