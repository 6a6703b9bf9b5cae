import { beside } from '../support/load-kill-verify/beside.ts';
import { runTogether } from '../support/load-kill-verify/run-together.ts';
import type { Outputs } from './cdk/cdk.ts';
import { inventory, physicalNames } from './cdk/inventory.ts';
import { divideRemains, type Remains, retainedResources } from './cdk/retained.ts';
import { isForFailures, queueUrls } from './far-ends/queues.ts';
import { coalescedCommits, isMerged } from './far-ends/shared-commits.ts';
import { HotSagas, messagesPerHotSaga } from './load/hot-sagas.ts';
import { httpWays } from './load/http-ways.ts';
import { type Load, loadAndUpdate } from './load/load-and-update.ts';
import { operate } from './load/operate.ts';
import { placeUntilKilled } from './load/place-until-killed.ts';
import { ProofSubject, proofEndpoints } from './load/proof-subject.ts';
import { relayAll, relayUnwatched, stopWatcher } from './load/relays.ts';
import type { Requests } from './load/requests.ts';
import { SampleSubject } from './load/sample-subject.ts';
import { settleSubject } from './load/settle.ts';
import type { Subject } from './load/subject.ts';
import { failedMessages } from './load/unknown-messages.ts';
import { Watch } from './load/watch.ts';
import type { Assemblies, Setting } from './proof-run.ts';
import { readStatements, takeOut } from './statements/assembly-statements.ts';
import type { Statement } from './statements/statement.ts';
import type { UpdatedApp } from './updates/updates.ts';
import type { Findings } from './verdict.ts';

export interface ProofFigures extends Findings {
  readonly engine: string;
  /** What was deployed over the running apps. */
  readonly updates: readonly string[];
  readonly hotSagas: number;
  readonly messagesPerHotSaga: number;
  /** By HTTP: three under each key that were answered, and those that failed and were sent again. */
  readonly requests: Readonly<Pick<Requests, 'answered' | 'failed' | 'tooEarly'>>;
  readonly duplicatesSent: number;
  readonly killsByFunction: Readonly<Record<string, number>>;
  /** Messages that arrived at the far ends with an id that had arrived before. */
  readonly arrivedAgain: number;
  readonly scheduledMessages: number;
  /** Schedules of long delays, as many as were there at once. */
  readonly longDelays: number;
  readonly stepsByVersion: { readonly first: number; readonly updated: number };
  readonly retained: readonly string[];
}

interface ProofOptions {
  readonly orders: number;
  readonly kills: number;
  readonly withoutStatement: Statement | undefined;
}

/** Deploys, loads, kills, updates, waits, recovers, judges and destroys. */
export async function prove(
  setting: Setting,
  options: ProofOptions,
  progress: (text: string) => void,
): Promise<ProofFigures> {
  const { assemblies, calls, cdk, clients, emulator, phases, signal } = setting;
  const { journal } = emulator;
  await takeOutOf(setting, options.withoutStatement);
  await phases.run('bootstrap', () => cdk.bootstrap());
  const before = await inventory(calls);
  const [sampleOutputs, proofOutputs] = await phases.run('deploy', () =>
    runTogether(signal, [
      (own) => cdk.deploy(assemblies.sample, own),
      (own) => cdk.deploy(assemblies.proof, own),
    ]),
  );
  const sample = new SampleSubject(clients, sampleOutputs);
  const proof = new ProofSubject(clients, proofOutputs, (output) => httpWays(emulator, output));
  const hot = new HotSagas(clients, proof);
  const watch = new Watch(setting, proof, options.kills, progress);
  const { killer } = watch;
  const subjects = { sample, proof, hot, deployed: { sample: sampleOutputs, proof: proofOutputs } };
  const [deployment, ofSample, ofProof, ofHot] = await beside(
    [(own) => killer.run(own)],
    (own) => handleOrders({ ...setting, signal: own }, subjects, watch, options.orders),
    signal,
  );
  await journal.look();
  const denials = [...journal.denials];
  const last = lastAssemblies(assemblies);
  const drifts = await phases.run('cdk diff', () =>
    runTogether(signal, [(own) => cdk.diff(last.sample, own), (own) => cdk.diff(last.proof, own)]),
  );
  if (drifts.includes(true)) deployment.push('cdk diff tells of changes after the deployment');
  const failed = await failedMessages(clients, await failureQueues(setting));
  const remains = await phases.run('destroy', () => destroyAll(setting, before, sampleOutputs, proofOutputs));
  const verdicts = [ofSample, ofProof, ofHot].map(({ verdict }) => verdict);
  const { requests } = proof;
  const { first, updated, updatedOfEarlierOrders } = proof.stepsByHandler;
  return {
    engine: setting.engine,
    updates: assemblies.rounds.flat().flatMap((update) => update.updates.map(({ name }) => name)),
    orders: sample.orders.length + proof.orders.length,
    done: ofSample.verdict.done + ofProof.verdict.done,
    lost: verdicts.flatMap(({ lost }) => lost),
    appliedTwice: verdicts.flatMap(({ appliedTwice }) => appliedTwice),
    unexpected: verdicts.flatMap(({ unexpected }) => unexpected),
    schedules: [...ofSample.schedules, ...ofProof.schedules],
    denials,
    undispatched: [...ofSample.undispatched, ...ofProof.undispatched],
    kills: killer.kills,
    wantedKills: options.kills,
    givenUp: failed.others,
    errorQueuesMissed: proofEndpoints.length - failed.errorQueues,
    deployment,
    stepsOfEarlierOrdersByUpdate: updatedOfEarlierOrders,
    leftBehind: remains.leftBehind,
    retainedGone: remains.retainedGone,
    retained: remains.retained,
    hotSagas: hot.orders.length,
    messagesPerHotSaga: messagesPerHotSaga(options.orders),
    requests: { answered: requests.answered, failed: requests.failed, tooEarly: requests.tooEarly },
    wrongAnswers: requests.complaints,
    duplicatesSent: sample.duplicatesSent + proof.duplicatesSent + hot.duplicatesSent,
    killsByFunction: Object.fromEntries(killer.killsByFunction),
    arrivedAgain: sample.arrivals.again + proof.arrivals.again,
    scheduledMessages: journal.scheduledMessages,
    longDelays: watch.longDelays,
    stepsByVersion: { first, updated },
    largestBatch: journal.largestBatch,
    mergedCommits: journal.sharedCommits.filter(isMerged).length,
    coalescedCommits: coalescedCommits(journal.sharedCommits),
  };
}

interface Subjects extends Load {
  readonly hot: HotSagas;
}

/** @returns what did not come true of the deployments, in words, and how each subject settled */
async function handleOrders(setting: Setting, subjects: Subjects, watch: Watch, orders: number) {
  const { clients, emulator, phases, signal } = setting;
  const { sample, proof, hot } = subjects;
  const watchAgain = await stopWatcher(setting, proof);
  const [complaints] = await phases.run('load, and update meanwhile', () =>
    runTogether(signal, [
      (own) => loadAndUpdate({ ...setting, signal: own }, subjects, orders),
      () => hot.place(messagesPerHotSaga(orders)),
    ]),
  );
  complaints.push(...(await relayUnwatched(setting, proof)));
  await watchAgain();
  await placeUntilKilled(proof, watch.killer, signal);
  const settling = (subject: Subject) => (own: AbortSignal) =>
    settleSubject(clients, subject, {
      signal: own,
      isDenied: () => emulator.journal.denials.length > 0,
      onLook: (verdict) => watch.tick(subject, verdict),
    });
  const settleAll = () => runTogether(signal, [settling(sample), settling(proof), settling(hot)]);
  await phases.run('wait until all is done', settleAll);
  // What a relay sends once more is to be judged too.
  const settled = await phases.run('relay, and wait again', async () => {
    complaints.push(...(await operate(setting, proof)), ...(await relayAll(setting, proof)));
    return await settleAll();
  });
  return [complaints, ...settled] as const;
}

/** From the assemblies that hold the statement, before they are deployed. */
async function takeOutOf({ assemblies }: Setting, statement: Statement | undefined): Promise<void> {
  if (statement === undefined) return;
  const { sample, proof, rounds } = assemblies;
  for (const assembly of [sample, proof, ...rounds.flat().map((update) => update.assembly)]) {
    const statements = await readStatements(assembly);
    const found = statements.find(({ name }) => name === statement.name);
    if (found !== undefined) await takeOut(assembly, found);
  }
}

async function failureQueues({ clients }: Setting): Promise<string[]> {
  const all = await Promise.all(['Proof', 'OrderFulfilment'].map((prefix) => queueUrls(clients.sqs, prefix)));
  return all.flat().filter(isForFailures);
}

/** What is deployed when all updates are. */
function lastAssemblies({ sample, proof, rounds }: Assemblies): Record<UpdatedApp, string> {
  const last = { sample, proof };
  for (const { app, assembly } of rounds.flat()) last[app] = assembly;
  return last;
}

async function destroyAll(
  { assemblies, calls, cdk, signal }: Setting,
  before: ReadonlySet<string>,
  sampleOutputs: Outputs,
  proofOutputs: Outputs,
): Promise<Remains> {
  const last = lastAssemblies(assemblies);
  // The sample's stacks were under no stage at first, and keep their names.
  const logical = [...(await retainedResources(last.proof)), ...(await retainedResources(assemblies.sample))];
  const physical = await physicalNames(calls, { ...sampleOutputs, ...proofOutputs });
  await runTogether(signal, [(own) => cdk.destroy(last.sample, own), (own) => cdk.destroy(last.proof, own)]);
  const retainedNames = logical.map((id) => physical.get(id) ?? id);
  return divideRemains(before, await inventory(calls), retainedNames);
}
