import { runLoad } from '../../support/load-kill-verify/run-load.ts';
import { runTogether } from '../../support/load-kill-verify/run-together.ts';
import type { Outputs } from '../cdk/cdk.ts';
import { archivedStep } from '../far-ends/expected-effects.ts';
import { effectKey } from '../far-ends/judge-orders.ts';
import type { Setting } from '../proof-run.ts';
import { type AppUpdate, deployUpdate } from './deploy-update.ts';
import { holdQueue, type ReadAgain } from './hold-reading.ts';
import { OrderBatches } from './order-batches.ts';
import { type ProofSubject, proofEndpoints } from './proof-subject.ts';
import type { SampleSubject } from './sample-subject.ts';
import { sendUnknown } from './unknown-messages.ts';
import { sendsPerMessage } from './ways-in.ts';

export interface Load {
  readonly sample: SampleSubject;
  readonly proof: ProofSubject;
  /** The outputs of the stacks as they were deployed first. */
  readonly deployed: { readonly sample: Outputs; readonly proof: Outputs };
}

/**
 * Before each round of updates places a share of the orders, of which a part waits for what the round updates;
 * the last share comes after all rounds. The goods of the last order are never ordered, so that it stays open.
 *
 * @returns what did not come true of the deployments, in words
 */
export async function loadAndUpdate(setting: Setting, load: Load, orders: number): Promise<string[]> {
  const { assemblies, clients, signal } = setting;
  const { rounds } = assemblies;
  const { sample, proof } = load;
  const batches = new OrderBatches(orders, rounds.length + 1);
  const complaints: string[] = [];
  for (const round of rounds) {
    const { first, waiting } = batches.next();
    await Promise.all([sample.place(first.sample, signal), proof.place(first.proof)]);
    if (removesSubscription(round)) await untilArchived(setting, proof);
    // However fast the messages are and however slow the deployment is, some have to be on their way meanwhile.
    const readAgain = await holdAll(setting, load, round);
    if (removesSubscription(round)) proof.archived = 'perhaps';
    await Promise.all([sample.place(waiting.sample, signal), proof.place(waiting.proof)]);
    const done = await runTogether(
      signal,
      round.map((update) => () => deployUpdate(setting, update, load.deployed[update.app])),
    );
    complaints.push(...done.flatMap((each) => each.complaints));
    for (const [index, { app }] of round.entries())
      if (app === 'proof')
        proof.take(
          done[index]?.outputs ?? {},
          round.flatMap(({ updates }) => updates),
        );
    await readAgain();
  }
  const { first, waiting } = batches.next();
  const last = [...first.proof, ...waiting.proof];
  await sample.place([...first.sample, ...waiting.sample], signal);
  await proof.place(last.slice(0, -1));
  await proof.place(last.slice(-1), { goodsOrdered: false });
  const queues = proofEndpoints.map((endpoint) => proof.output(`${endpoint}QueueUrl`));
  await sendUnknown(clients, queues, 'unknown', sendsPerMessage);
  return complaints;
}

function removesSubscription(round: readonly AppUpdate[]): boolean {
  return round.some(({ updates }) => updates.some(({ name }) => name === 'a subscription is removed'));
}

/** Lets nothing read a queue of each app that is updated. */
async function holdAll(
  { calls }: Setting,
  { sample, proof }: Load,
  round: readonly AppUpdate[],
): Promise<ReadAgain> {
  const queues = round.map(({ app }) =>
    app === 'proof' ? proof.output('AuditQueueUrl') : sample.ordersQueueUrl,
  );
  const held: ReadAgain[] = [];
  for (const queue of queues) held.push(await holdQueue(calls, queue));
  return async () => {
    for (const readAgain of held) await readAgain();
  };
}

/** Until what has to reach the new endpoint by its subscription has done so. */
async function untilArchived({ signal }: Setting, proof: ProofSubject): Promise<void> {
  const expected = proof.orders.filter(({ effects }) => effects.includes(archivedStep));
  const look = async () => {
    const effects = await proof.effects();
    const { length } = expected.filter(({ orderId }) => !effects.has(effectKey(orderId, archivedStep)));
    return { isSettled: length === 0, progress: length };
  };
  // What is missing when nothing moves any more is told of when the orders are judged.
  await runLoad({ look, tickMs: 500 }, signal);
}
