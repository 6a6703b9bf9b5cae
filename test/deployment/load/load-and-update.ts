import type { Setting } from '../proof-run.ts';
import { holdReading } from './hold-reading.ts';
import { type ProofSubject, proofEndpoints } from './proof-subject.ts';
import type { SampleSubject } from './sample-subject.ts';
import { sendUnknown } from './unknown-messages.ts';
import { sendsPerMessage } from './ways-in.ts';

/** Every third order goes to the sample. */
const shareOfSample = 1 / 3;
/** Of the orders before the update, those whose messages wait for the handler that it replaces. */
const shareThatWaits = 1 / 3;

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(4, '0')}`);

/**
 * Places half of the orders, deploys the update while they are on their way, and places the others. The goods
 * of the last one are never ordered, so that it stays open.
 *
 * @returns what did not come true of the deployment, in words
 */
export async function loadAndUpdate(
  { assemblies, calls, cdk, clients, signal }: Setting,
  { sample, proof }: { readonly sample: SampleSubject; readonly proof: ProofSubject },
  orders: number,
): Promise<string[]> {
  const sampleOrders = names('sample', Math.floor(orders * shareOfSample));
  const proofOrders = names('order', orders - sampleOrders.length);
  const half = Math.ceil(proofOrders.length / 2);
  const waiting = half - Math.ceil(half * shareThatWaits);
  await Promise.all([
    sample.place(sampleOrders, signal),
    proof.place(proofOrders.slice(0, waiting), { afterUpdate: false }),
  ]);
  const differs = await cdk.diff(assemblies.updated);
  // However fast the messages are and however slow the deployment is, some have to be on their way meanwhile.
  const readAgain = await holdReading(calls, proof.output('AuditQueueUrl'));
  await proof.place(proofOrders.slice(waiting, half), { afterUpdate: false });
  proof.take(await cdk.deploy(assemblies.updated));
  await readAgain();
  await proof.place(proofOrders.slice(half, -1), { afterUpdate: true });
  await proof.place(proofOrders.slice(-1), { afterUpdate: true, goodsOrdered: false });
  const queues = proofEndpoints.map((endpoint) => proof.output(`${endpoint}QueueUrl`));
  await sendUnknown(clients, queues, 'unknown', sendsPerMessage);
  return differs ? [] : ['cdk diff does not tell of the update'];
}
