import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { startEngines } from '../engines/start.ts';
import { rateRules } from '../events/bridge/rule-definition.ts';
import type { UndeliveredMessage } from '../events/queue-sender.ts';
import { QueueTimers } from '../events/queue-timers.ts';
import { RateRuleRunner } from '../events/rate-rule-runner.ts';
import type { PendingSchedule } from '../events/scheduler/schedules.ts';
import type { InvocationReport } from '../lambda/event-source.ts';
import { functionDefinitions } from '../lambda/function-definition.ts';
import { FunctionFleet, type StartInstance } from '../lambda/function-fleet.ts';
import { FunctionInstance, type InvocationOutcome } from '../lambda/function-instance.ts';
import { invocationEvent } from '../lambda/invocation-event.ts';
import type { PlayedLambda } from '../lambda/lambda-api.ts';
import { assertNeededPackages } from '../lambda/needed-packages.ts';
import { provisionResources } from '../provision/resources.ts';
import { CapacitySum, type CapacityTotals } from '../proxy/capacity-totals.ts';
import { startClientEndpoint } from '../proxy/client-endpoint.ts';
import { startFaultProxy } from '../proxy/fault-proxy.ts';
import type { EngineService } from '../proxy/proxied-call.ts';
import { changesOf, type DeclaredApp, withFunction } from './changes.ts';
import { assertLocalAppOptions, assertSeconds } from './checks.ts';
import { Cleanup } from './cleanup.ts';
import { readCloudAssembly } from './cloud-assembly.ts';
import { EventSources } from './event-sources.ts';
import { type LocalClientConfig, localClientConfig, localQueueUrl } from './identity.ts';
import { type LocalAppOptions, localAppDefaults, type OutputLine } from './options.ts';
import type { StreamArns } from './resources/kinds.ts';
import {
  type LocalResource,
  modelResources,
  type ResourceModel,
  type ResourcesNotRun,
} from './resources/model.ts';
import { functionNamed, queueNamed } from './resources/named-resource.ts';
import { runnableResources } from './resources/runnable.ts';
import { type StackOutputs, stackOutputsOf } from './stacks-api.ts';

/** A synthesized CDK app that runs on this machine. */
export interface LocalApp {
  /** For a client of any service: `new SQSClient(app.clientConfig)`, `new S3Client(app.clientConfig)`. */
  readonly clientConfig: LocalClientConfig;
  /** Addresses of the engines themselves, by service: `clientConfig.endpoint` leads to all of them. */
  readonly endpoints: Readonly<Record<EngineService, string>>;
  /** The DynamoDB engine with its version: `dynoxide 1.2.1`. */
  readonly dynamoDBEngine: string;
  /** Everything that runs, under its local name: tables, queues, functions and so on. */
  readonly resources: readonly LocalResource[];
  /** What the templates declare and this runtime does not run. */
  readonly notRun: readonly ResourcesNotRun[];
  /**
   * The outputs of the stacks, by `Stack.LogicalId`, and by their logical ids unless two stacks have the same:
   * names and URLs of what runs here. Their queue URLs are for clients of this process.
   */
  readonly outputs: Readonly<Record<string, string>>;
  /**
   * URL of a queue, by its name or logical id (the latter also without its hash), or by the endpoint that it
   * feeds.
   *
   * @throws SagaboxError `Configuration` when the app has no such queue: it names those that there are
   */
  readonly queueUrl: (queue: string) => string;
  /**
   * Invokes a function with an event, such as one of an HTTP API; `name` as for `queueUrl`. A client of Lambda
   * does the same with `clientConfig`.
   *
   * @throws SagaboxError `Configuration` when the app has no such function: it names those that there are;
   *   and for an event that JSON cannot hold
   */
  readonly invoke: (name: string, event: unknown) => Promise<InvocationOutcome>;
  /**
   * Reads the output folder of `cdk synth` again, and replaces the functions that changed: invocations that
   * run end on the code that they began with. Other resources stay as they are.
   *
   * @throws SagaboxError `Configuration` as `startLocalApp`
   */
  readonly reload: () => Promise<ReloadedApp>;
  /** Capacity that the functions consumed so far. */
  readonly capacity: () => CapacityTotals;
  /** Invocations that run now. */
  readonly runningInvocations: () => number;
  /** The schedules that have not sent yet, the next one first. */
  readonly schedules: () => readonly PendingSchedule[];
  /**
   * Lets the clock of the queues, and of schedules and rates, jump ahead, by seconds of that clock.
   *
   * @throws SagaboxError `Configuration` for what is no number of seconds from 0
   */
  readonly advanceQueueClock: (seconds: number) => void;
  /** Process ids of the function instances that live now. */
  readonly processIds: () => number[];
  /**
   * Rejects when an engine ends or an event source cannot go on, or a rule or a schedule sends to a queue
   * that does not take its message.
   */
  readonly failed: Promise<never>;
  /** Ends every process, port and timer, and removes every temporary file. */
  readonly stop: () => Promise<void>;
}

/** What `reload` found in the output folder of `cdk synth`. */
export interface ReloadedApp {
  /** Names of the functions that were replaced. */
  readonly replaced: readonly string[];
  /** What else changed, as `Stack.LogicalId`: it takes another start. */
  readonly needRestart: readonly string[];
}

/**
 * Runs a synthesized CDK app: its tables on a DynamoDB engine (see `startDynamoDB`), its queues, topics and
 * buckets on an emulator of SQS, SNS and S3, its event buses and schedules on one of EventBridge and
 * EventBridge Scheduler, its functions as child processes that are fed by its event source mappings (of queues
 * and of streams of tables), and invoked by rules with a rate. Everything is called over the loopback interface, on free ports.
 *
 * Functions read the real clock; queues, schedules and rates have a clock of their own (`timeScale`,
 * `advanceQueueClock`). A schedule for "in two hours" by the real clock is due when two hours of that clock
 * have passed.
 *
 * Not played: batching windows of queues (a batch is what the queue has at once), freezing of idle instances, lifecycle
 * rules of buckets.
 *
 * Call `stop` at the end, also on a signal. When this process is killed, the engines and instances end by
 * themselves.
 *
 * @throws SagaboxError `Configuration` when an option is unknown or wrong, there is no cloud assembly, an optional
 * peer dependency that a function needs is not installed, an engine cannot start, or refuses what a template declares,
 * or `port` is in use.
 *
 * @example
 * ```ts
 * import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
 * import { startLocalApp } from 'sagabox/local';
 *
 * const app = await startLocalApp({ assemblyDirectory: 'cdk.out', timeScale: 60 });
 * process.once('SIGINT', () => void app.stop());
 * const sqs = new SQSClient(app.clientConfig);
 * await sqs.send(new SendMessageCommand({ QueueUrl: app.queueUrl('orders'), MessageBody: '{}' }));
 * ```
 */
export function startLocalApp(options: LocalAppOptions): Promise<LocalApp> {
  return startAppOn((instance) => new FunctionInstance(instance), options);
}

const mappingType = 'AWS::Lambda::EventSourceMapping';

/** Runs an app on instances of another runtime. */
export async function startAppOn(startInstance: StartInstance, options: LocalAppOptions): Promise<LocalApp> {
  assertLocalAppOptions(options);
  const cleanup = new Cleanup();
  try {
    return await start(startInstance, options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function start(
  startInstance: StartInstance,
  options: LocalAppOptions,
  cleanup: Cleanup,
): Promise<LocalApp> {
  const { assemblyDirectory } = options;
  const stacks = await readCloudAssembly(assemblyDirectory);
  const directory = await mkdtemp(join(tmpdir(), 'sagabox-local-'));
  cleanup.add(() => rm(directory, { recursive: true, force: true }));
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const {
    port = localAppDefaults.port,
    timeScale = localAppDefaults.timeScale,
    maxConcurrency = localAppDefaults.maxConcurrency,
    redeliverAcknowledged = localAppDefaults.redeliverAcknowledged,
  } = options;
  const onUndelivered = ({ queue, reason }: UndeliveredMessage): void =>
    fail(
      new SagaboxError('Configuration', {
        setting: queue,
        problem: `a rule or a schedule sends to this queue, which does not take the message: ${reason}`,
        remedy: 'Declare the queue in the same app, with the kind (FIFO or standard) that the sender expects',
      }),
    );
  const engines = await startEngines({ timeScale, onUndelivered }, cleanup);
  engines.dynamoDB.failed.catch(fail);

  // What it invokes and describes is there before anybody knows the address.
  let invokeByName: LocalApp['invoke'];
  let describeMapping: PlayedLambda['mapping'];
  let stackOutputs: StackOutputs;
  const { endpoint, stop: stopEndpoint } = await startClientEndpoint({
    engines: engines.endpoints,
    lambda: {
      invoke: (name, event) => invokeByName(name, event),
      mapping: (uuid) => describeMapping(uuid),
    },
    stackOutputs: () => stackOutputs,
    port,
  });
  cleanup.add(stopEndpoint);

  const capacity = new CapacitySum();
  const proxy = await startFaultProxy({
    engines: { ...engines.endpoints, lambda: endpoint },
    faults: options.faults ?? [],
    onAnswer: (call, answer) => {
      capacity.observe(call, answer);
      options.onCall?.(call, answer);
    },
    onFault: (rule, call) => options.onFault?.(rule, call),
  });
  cleanup.add(() => proxy.stop());

  const modelOf = (read: typeof stacks, streamArns?: StreamArns): ResourceModel =>
    modelResources(read, proxy.baseUrl, endpoint, streamArns);
  const planned = runnableResources(modelOf(stacks)).resources;
  assertNeededPackages(functionDefinitions(planned));
  const streamArns = await provisionResources(engines, planned, cleanup);
  const declaredModel = modelOf(stacks, streamArns);
  const { resources, notRun, outputs } = runnableResources(declaredModel);
  let declared: DeclaredApp = { resources, functions: functionDefinitions(resources) };
  stackOutputs = stackOutputsOf(stacks, outputs);

  const onOutput = (output: OutputLine): void => options.onOutput?.(output);
  const fleet = new FunctionFleet({ directory, proxy, onOutput, startInstance });
  for (const definition of declared.functions) await fleet.deploy(definition);
  const onInvocation = (report: InvocationReport): void => options.onInvocation?.(report);
  const triggers = { onInvocation, onFailure: fail };
  const rules = rateRules(resources);
  const timers = new QueueTimers(timeScale);
  const invoke = (functionName: string, event: unknown) => fleet.invoke(functionName, event);
  invokeByName = async (name, event) => {
    const functionName = functionNamed(resources, name);
    const outcome = await invoke(functionName, invocationEvent(event));
    onInvocation({ functionName, records: [], outcome, acknowledgedMessageIds: [] });
    return outcome;
  };
  const rateRuleRunner = new RateRuleRunner({ ...triggers, rules, invoke, timers });
  const eventSources = new EventSources({
    ...{ ...triggers, resources, engines, invoke, maxConcurrency, redeliverAcknowledged },
    now: () => timers.now(),
  });
  describeMapping = (uuid) => {
    const mapping = declaredModel.resources.find(({ type, name }) => type === mappingType && name === uuid);
    return mapping && eventSources.describe(mapping);
  };
  cleanup.add(() => eventSources.stop());
  cleanup.add(() => timers.stop());
  // The instances end first, so that no invocation is waited for.
  cleanup.add(() => fleet.stop());
  cleanup.add(() => eventSources.stopPolling());
  await eventSources.start();
  rateRuleRunner.start();

  return {
    get clientConfig() {
      return localClientConfig(endpoint);
    },
    endpoints: engines.endpoints,
    dynamoDBEngine: engines.dynamoDB.name,
    resources,
    notRun,
    outputs,
    queueUrl: (queue) => localQueueUrl(endpoint, queueNamed(resources, queue)),
    invoke: invokeByName,
    reload: async () => {
      const found = runnableResources(
        modelOf(await readCloudAssembly(assemblyDirectory), streamArns),
      ).resources;
      const now: DeclaredApp = { resources: found, functions: functionDefinitions(found) };
      assertNeededPackages(now.functions);
      const changes = changesOf(declared, now);
      for (const definition of changes.functions) {
        await fleet.deploy(definition);
        // One that fails, and those behind it, are found by the next reload.
        declared = withFunction(declared, definition);
      }
      declared = now;
      return { replaced: changes.functions.map(({ name }) => name), needRestart: changes.needRestart };
    },
    capacity: () => capacity.totals,
    runningInvocations: () => eventSources.runningInvocations + rateRuleRunner.runningInvocations,
    schedules: engines.schedules,
    advanceQueueClock: (seconds) => {
      assertSeconds('advanceQueueClock', seconds);
      engines.advanceClock(seconds * 1_000);
      timers.advance(seconds * 1_000);
    },
    processIds: () => fleet.processIds,
    failed,
    stop: () => cleanup.run(),
  };
}
