import type { Outputs } from './cdk/cdk.ts';
import { inventory, physicalNames } from './cdk/inventory.ts';
import { divideRemains, type Remains, retainedResources } from './cdk/retained.ts';
import type { OrdersVerdict } from './far-ends/judge-orders.ts';
import { queueUrls } from './far-ends/queues.ts';
import { Killer } from './load/killer.ts';
import { isForFailures, ProofSubject } from './load/proof-subject.ts';
import { SampleSubject } from './load/sample-subject.ts';
import { settle } from './load/settle.ts';
import { failedMessages, sendUnknown } from './load/unknown-messages.ts';
import { sendsPerMessage } from './load/ways-in.ts';
import type { Setting } from './proof-run.ts';
import { takeOut } from './statements/assembly-statements.ts';
import type { Statement } from './statements/statement.ts';
import type { Findings } from './verdict.ts';

export interface ProofFigures extends Findings {
  readonly engine: string;
  readonly seconds: number;
  readonly duplicatesSent: number;
  readonly killsByFunction: Readonly<Record<string, number>>;
  /** Messages that arrived at the far ends with an id that had arrived before. */
  readonly arrivedAgain: number;
  readonly scheduledMessages: number;
  /** Schedules of long delays, as many as were there at once. */
  readonly longDelays: number;
  readonly stepsByVersion: Readonly<Record<string, number>>;
  readonly retained: readonly string[];
  readonly phases: Readonly<Record<string, number>>;
}

interface ProofOptions {
  readonly orders: number;
  readonly kills: number;
  readonly withoutStatement: Statement | undefined;
}

/** Every third order goes to the sample. */
const shareOfSample = 1 / 3;
/** What a killed function of the sample held comes again after a minute, so that a short run kills none of them. */
const shareOfSampleKills = 1 / 4;

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(4, '0')}`);

/** Deploys, loads, kills, updates, waits, judges and destroys. */
export async function prove(
  setting: Setting,
  options: ProofOptions,
  progress: (text: string) => void,
): Promise<ProofFigures> {
  const { assemblies, calls, cdk, clients, emulator, phases, signal } = setting;
  const startedAt = performance.now();
  if (options.withoutStatement !== undefined) {
    for (const assembly of Object.values(assemblies)) {
      if (assembly === assemblies.sample ? isOfSample(options) : !isOfSample(options))
        await takeOut(assembly, options.withoutStatement);
    }
  }
  const deployment: string[] = [];
  await phases.run('bootstrap', () => cdk.bootstrap());
  const before = await inventory(calls);
  const [sampleOutputs, proofOutputs] = await phases.run('deploy', () =>
    Promise.all([cdk.deploy(assemblies.sample), cdk.deploy(assemblies.proof)]),
  );

  const sample = new SampleSubject(clients, sampleOutputs);
  const proof = new ProofSubject(clients, proofOutputs);
  const sampleOrders = names('sample', Math.floor(options.orders * shareOfSample));
  const proofOrders = names('order', options.orders - sampleOrders.length);
  const half = Math.ceil(proofOrders.length / 2);
  const sampleKills = Math.floor(options.kills * shareOfSampleKills);
  let killsOfSample = 0;
  const killer = new Killer(emulator.journal, options.kills, (name) => {
    if (name.startsWith('Proof') && !/Recovery|Custom/.test(name)) return Number.POSITIVE_INFINITY;
    return name.startsWith('OrderFulfilment') && killsOfSample < sampleKills ? Number.POSITIVE_INFINITY : 0;
  });
  const over = new AbortController();
  const killing = killer.run(AbortSignal.any([signal, over.signal]));
  const watchSample = setInterval(() => {
    killsOfSample = [...killer.killsByFunction]
      .filter(([name]) => name.startsWith('OrderFulfilment'))
      .reduce((sum, [, kills]) => sum + kills, 0);
  }, 50);

  let longDelays = 0;
  const lastVerdicts = new Map<string, OrdersVerdict>();
  const tick = (name: string) => (verdict: OrdersVerdict) => {
    lastVerdicts.set(name, verdict);
    const done = [...lastVerdicts.values()].reduce((sum, each) => sum + each.done, 0);
    progress(
      `${done} of ${options.orders} orders done, ${killer.kills} processes killed, ${emulator.journal.denials.length} calls denied`,
    );
  };
  try {
    await phases.run('load, and update meanwhile', async () => {
      await Promise.all([sample.place(sampleOrders, signal), proof.place(proofOrders.slice(0, half), false)]);
      if (!(await cdk.diff(assemblies.updated))) deployment.push('cdk diff does not tell of the update');
      longDelays = Math.max(longDelays, await countSchedules(setting, proof));
      const updatedOutputs = await cdk.deploy(assemblies.updated);
      const endpoints = ['Orders', 'Billing', 'Stock', 'Audit', 'Archive'];
      const all = { ...updatedOutputs.ProofStore, ...updatedOutputs.ProofOffice };
      await proof.place(proofOrders.slice(half), true);
      await sendUnknown(
        clients,
        endpoints.map((endpoint) => String(all[`${endpoint}QueueUrl`])),
        'unknown',
        sendsPerMessage,
      );
      longDelays = Math.max(longDelays, await countSchedules(setting, proof));
    });
    const [ofSample, ofProof] = await phases.run('wait until all is done', () =>
      Promise.all([
        settle(clients, sample, signal, tick('sample')),
        settle(clients, proof, signal, tick('proof')),
      ]),
    );
    over.abort();
    await killing;
    await emulator.journal.look();
    const denials = [...emulator.journal.denials];
    deployment.push(...(await runRecoveries(setting, proof)));
    if (await cdk.diff(assemblies.updated)) deployment.push('cdk diff tells of changes after the deployment');
    if ((proof.stepsByVersion.updated ?? 0) === 0) deployment.push('the updated handler handled nothing');
    const failureQueues = [
      ...(await queueUrls(clients.sqs, 'Proof')),
      ...(await queueUrls(clients.sqs, 'OrderFulfilment')),
    ].filter(isForFailures);
    const failed = await failedMessages(clients, failureQueues);
    const remains = await phases.run('destroy', () =>
      destroyAll(setting, before, sampleOutputs, proofOutputs),
    );
    await emulator.journal.look();
    const farEnds = [sample.arrivals, proof.arrivals];
    return {
      engine: setting.engine,
      orders: options.orders,
      done: ofSample.verdict.done + ofProof.verdict.done,
      lost: [...ofSample.verdict.lost, ...ofProof.verdict.lost],
      appliedTwice: [...ofSample.verdict.appliedTwice, ...ofProof.verdict.appliedTwice],
      denials,
      undispatched: [...ofSample.undispatched, ...ofProof.undispatched],
      kills: killer.kills,
      wantedKills: options.kills,
      givenUp: failed.others,
      errorQueuesMissed: 5 - failed.errorQueues,
      deployment,
      leftBehind: remains.leftBehind,
      retained: remains.retained,
      seconds: Number(((performance.now() - startedAt) / 1_000).toFixed(1)),
      duplicatesSent: sample.duplicatesSent + proof.duplicatesSent,
      killsByFunction: Object.fromEntries(killer.killsByFunction),
      arrivedAgain: farEnds.reduce(
        (sum, { received, effects }) => sum + received - effects.reduce((ids, [, count]) => ids + count, 0),
        0,
      ),
      scheduledMessages: emulator.journal.scheduledMessages,
      longDelays,
      stepsByVersion: proof.stepsByVersion,
      phases: phases.seconds,
    };
  } finally {
    clearInterval(watchSample);
    over.abort();
    await killing;
  }
}

function isOfSample({ withoutStatement }: ProofOptions): boolean {
  return withoutStatement?.stack === 'OrderFulfilment';
}

/** Besides their own runs, each minute. */
async function runRecoveries({ calls }: Setting, proof: ProofSubject): Promise<string[]> {
  const complaints: string[] = [];
  for (const name of ['OrdersRecoveryName', 'StockRecoveryName']) {
    const FunctionName = proof.output(name);
    const { FunctionError, Payload } = await calls.call<{ FunctionError?: string; Payload: string }>(
      'lambda',
      'invoke',
      { FunctionName, Payload: '{}' },
    );
    if (FunctionError !== undefined) complaints.push(`${FunctionName} failed: ${Payload}`);
  }
  return complaints;
}

async function countSchedules({ calls }: Setting, proof: ProofSubject): Promise<number> {
  const { Schedules } = await calls.call<{ Schedules: unknown[] }>('scheduler', 'list_schedules', {
    GroupName: proof.output('ScheduleGroupName'),
  });
  return Schedules.length;
}

async function destroyAll(
  { assemblies, calls, cdk }: Setting,
  before: ReadonlySet<string>,
  sampleOutputs: Outputs,
  proofOutputs: Outputs,
): Promise<Remains> {
  const logical = [
    ...(await retainedResources(assemblies.updated)),
    ...(await retainedResources(assemblies.sample)),
  ];
  const physical = await physicalNames(calls, { ...sampleOutputs, ...proofOutputs });
  await Promise.all([cdk.destroy(assemblies.sample), cdk.destroy(assemblies.updated)]);
  const retainedNames = logical.map((id) => physical.get(id) ?? id);
  return divideRemains(before, await inventory(calls), retainedNames);
}
