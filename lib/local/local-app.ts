import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CapacityMeter, type CapacityTotals } from './capacity-meter.ts';
import { Cleanup } from './cleanup.ts';
import { readCloudAssembly } from './cloud-assembly.ts';
import { EventSource } from './event-source.ts';
import { eventSourceDefinition, isEnabled, isEventSource } from './event-source-definition.ts';
import { FaultProxy } from './fault-proxy.ts';
import { functionDefinition, isFunction } from './function-definition.ts';
import { FunctionFleet } from './function-fleet.ts';
import type { InstancePool } from './instance-pool.ts';
import { type LocalAppOptions, localAppDefaults } from './local-app-options.ts';
import { type LocalEngines, startEngines } from './local-engines.ts';
import { provisionQueues } from './provision-queues.ts';
import { deleteTables, provisionTables, tableKeyNames } from './provision-tables.ts';
import { type LocalResource, modelResources, type ResourcesNotRun } from './resource-model.ts';
import { runnableResources } from './runnable-resources.ts';

/** A synthesized CDK app that runs on this machine. */
export interface LocalApp {
  readonly dynamoDBEndpoint: string;
  readonly sqsEndpoint: string;
  /** Tables, queues, functions and event sources that run, under their local names. */
  readonly resources: readonly LocalResource[];
  /** What the templates declare and this runtime does not run. */
  readonly notRun: readonly ResourcesNotRun[];
  /** The outputs of the stacks, by their logical ids: names and URLs of what runs here. */
  readonly outputs: Readonly<Record<string, string>>;
  /** URL of a queue for clients that use `sqsEndpoint`. */
  readonly queueUrl: (queueName: string) => string;
  /** Capacity that the functions consumed so far. */
  readonly capacity: () => CapacityTotals;
  /** Invocations that run now. */
  readonly runningInvocations: () => number;
  /** Lets the clock of the queues jump ahead, by seconds of that clock. */
  readonly advanceQueueClock: (seconds: number) => void;
  /** Process ids of the function instances that live now. */
  readonly processIds: () => number[];
  /** Rejects when an event source cannot go on. */
  readonly failed: Promise<never>;
  /** Ends every process, port and timer, and removes every temporary file. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs a synthesized CDK app: its tables on DynamoDB Local, its queues on an SQS emulator, its functions as child
 * processes that are fed by its event source mappings. Everything is called over the loopback interface, on free ports.
 *
 * Not played: batching windows (a batch is what the queue has at once), and freezing of idle instances.
 *
 * Call `stop` at the end, also on a signal. When this process is killed, the engines and instances end by themselves.
 *
 * @throws SagaboxError `Configuration` when there is no cloud assembly, or an engine cannot start.
 *
 * @example
 * ```ts
 * import { startLocalApp } from 'sagabox/local';
 *
 * const app = await startLocalApp({ assemblyDirectory: 'cdk.out', timeScale: 60 });
 * process.once('SIGINT', () => void app.stop());
 * ```
 */
export async function startLocalApp(options: LocalAppOptions): Promise<LocalApp> {
  const cleanup = new Cleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function start(options: LocalAppOptions, cleanup: Cleanup): Promise<LocalApp> {
  const stacks = await readCloudAssembly(options.assemblyDirectory);
  const directory = await mkdtemp(join(tmpdir(), 'sagabox-local-'));
  cleanup.add(() => rm(directory, { recursive: true, force: true }));
  const engines = await startEngines(options.timeScale ?? localAppDefaults.timeScale, cleanup);

  let fleet: FunctionFleet | undefined;
  let meter = new CapacityMeter(new Map());
  const proxy = new FaultProxy({
    engines: { dynamodb: engines.dynamoDB.endpoint, sqs: engines.sqsEmulator.endpoint },
    faults: options.faults ?? [],
    killInstance: (instanceId) => fleet?.kill(instanceId),
    onAnswer: (call, answer) => meter.observe(call, answer),
    onFault: (rule, call) => options.onFault?.(rule, call),
  });
  cleanup.add(() => proxy.stop());
  await proxy.start();

  const { resources, notRun, outputs } = runnableResources(modelResources(stacks, proxy.baseUrl));
  meter = new CapacityMeter(tableKeyNames(resources));
  const created: string[] = [];
  if (engines.dynamoDB.isShared) cleanup.add(() => deleteTables(engines.dynamoDBClient, created));
  await provisionTables(engines.dynamoDBClient, resources, created);
  await provisionQueues(engines.sqsClient, resources);

  fleet = new FunctionFleet({ directory, proxy, onOutput: (output) => options.onOutput?.(output) });
  const { eventSources, failed } = await startEventSources(resources, fleet, engines, options);
  cleanup.add(() => Promise.all(eventSources.map((eventSource) => eventSource.stop())));
  // The instances end first, so that no invocation is waited for.
  cleanup.add(() => fleet.stop());
  cleanup.add(() => eventSources.map((eventSource) => eventSource.stopPolling()));

  return {
    dynamoDBEndpoint: engines.dynamoDB.endpoint,
    sqsEndpoint: engines.sqsEmulator.endpoint,
    resources,
    notRun,
    outputs,
    queueUrl: engines.queueUrl,
    capacity: () => meter.totals,
    runningInvocations: () =>
      eventSources.reduce((total, eventSource) => total + eventSource.runningInvocations, 0),
    advanceQueueClock: (seconds) => engines.sqsEmulator.advanceClock(seconds * 1_000),
    processIds: () => fleet.processIds,
    failed,
    stop: () => cleanup.run(),
  };
}

async function startEventSources(
  resources: readonly LocalResource[],
  fleet: FunctionFleet,
  engines: LocalEngines,
  options: LocalAppOptions,
): Promise<{ eventSources: EventSource[]; failed: Promise<never> }> {
  const functions = resources.filter(isFunction).map(functionDefinition);
  const pools = new Map<string, InstancePool>();
  for (const definition of functions) pools.set(definition.name, await fleet.add(definition));
  const limit = options.maximumConcurrency ?? localAppDefaults.maximumConcurrency;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const eventSources = resources
    .filter((resource) => isEventSource(resource) && isEnabled(resource))
    .map((resource) => {
      const definition = eventSourceDefinition(resource, functions);
      return new EventSource({
        definition,
        queueUrl: engines.queueUrl(definition.queueName),
        sqsClient: engines.sqsClient,
        pool: pools.get(definition.functionDefinition.name) as InstancePool,
        maximumConcurrency: Math.min(limit, definition.maximumConcurrency ?? limit),
        redeliverAcknowledged: options.redeliverAcknowledged ?? localAppDefaults.redeliverAcknowledged,
        onInvocation: (report) => options.onInvocation?.(report),
        onFailure: fail,
      });
    });
  for (const eventSource of eventSources) eventSource.start();
  return { eventSources, failed };
}
