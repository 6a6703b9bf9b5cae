import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SagaboxError } from '../../core/failures/errors.ts';
import { startEngines } from '../engines/start.ts';
import { rateRules } from '../events/bridge/rule-definition.ts';
import type { UndeliveredMessage } from '../events/queue-sender.ts';
import { QueueTimers } from '../events/queue-timers.ts';
import { RateRuleRunner } from '../events/rate-rule-runner.ts';
import type { PendingSchedule } from '../events/scheduler/schedules.ts';
import { EventSource, type InvocationReport } from '../lambda/event-source.ts';
import { eventSourceDefinitions } from '../lambda/event-source-definition.ts';
import { functionDefinitions } from '../lambda/function-definition.ts';
import { FunctionFleet } from '../lambda/function-fleet.ts';
import type { Invoke } from '../lambda/function-instance.ts';
import { provisionResources } from '../provision/resources.ts';
import { CapacitySum, type CapacityTotals } from '../proxy/capacity-totals.ts';
import { startFaultProxy } from '../proxy/fault-proxy.ts';
import { Cleanup } from './cleanup.ts';
import { readCloudAssembly } from './cloud-assembly.ts';
import { type LocalAppOptions, localAppDefaults } from './options.ts';
import { type LocalResource, modelResources, type ResourcesNotRun } from './resources/model.ts';
import { runnableResources } from './resources/runnable.ts';

/** A synthesized CDK app that runs on this machine. */
export interface LocalApp {
  readonly dynamoDBEndpoint: string;
  /** What runs there, with its version: `dynoxide 1.2.1`. */
  readonly dynamoDBEngine: string;
  /** Serves SNS and S3 too. */
  readonly sqsEndpoint: string;
  readonly eventBridgeEndpoint: string;
  readonly schedulerEndpoint: string;
  /** Everything that runs, under its local name: tables, queues, functions and so on. */
  readonly resources: readonly LocalResource[];
  /** What the templates declare and this runtime does not run. */
  readonly notRun: readonly ResourcesNotRun[];
  /**
   * The outputs of the stacks, by `Stack.LogicalId`, and by their logical ids unless two stacks have the same:
   * names and URLs of what runs here.
   */
  readonly outputs: Readonly<Record<string, string>>;
  /** URL of a queue for clients that use `sqsEndpoint`. */
  readonly queueUrl: (queueName: string) => string;
  /** Capacity that the functions consumed so far. */
  readonly capacity: () => CapacityTotals;
  /** Invocations that run now. */
  readonly runningInvocations: () => number;
  /** The schedules that have not sent yet, the next one first. */
  readonly schedules: () => readonly PendingSchedule[];
  /** Lets the clock of the queues, and of schedules and rates, jump ahead, by seconds of that clock. */
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

/**
 * Runs a synthesized CDK app: its tables on a DynamoDB engine (see `startDynamoDB`), its queues, topics and
 * buckets on an emulator of SQS, SNS and S3, its event buses and schedules on one of EventBridge and
 * EventBridge Scheduler, its functions as child processes that are fed by its event source mappings, and
 * invoked by rules with a rate. Everything is called over the loopback interface, on free ports.
 *
 * Functions read the real clock; queues, schedules and rates have a clock of their own (`timeScale`,
 * `advanceQueueClock`). A schedule for "in two hours" by the real clock is due when two hours of that clock
 * have passed.
 *
 * Not played: batching windows (a batch is what the queue has at once), freezing of idle instances, lifecycle
 * rules of buckets.
 *
 * Call `stop` at the end, also on a signal. When this process is killed, the engines and instances end by
 * themselves.
 *
 * @throws SagaboxError `Configuration` when there is no cloud assembly, an engine cannot start, or refuses
 * what a template declares.
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
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const {
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

  const capacity = new CapacitySum();
  const proxy = await startFaultProxy({
    engines: engines.endpoints,
    faults: options.faults ?? [],
    onAnswer: (call, answer) => {
      capacity.observe(call, answer);
      options.onCall?.(call, answer);
    },
    onFault: (rule, call) => options.onFault?.(rule, call),
  });
  cleanup.add(() => proxy.stop());

  const { resources, notRun, outputs } = runnableResources(modelResources(stacks, proxy.baseUrl));
  await provisionResources(engines, resources, cleanup);

  const fleet = new FunctionFleet({ directory, proxy, onOutput: (output) => options.onOutput?.(output) });
  const invokes = new Map<string, Invoke>();
  for (const definition of functionDefinitions(resources)) {
    invokes.set(definition.name, await fleet.add(definition));
  }
  const onInvocation = (report: InvocationReport): void => options.onInvocation?.(report);
  const triggers = { onInvocation, onFailure: fail };
  const eventSources = eventSourceDefinitions(resources).map(
    (definition) =>
      new EventSource({
        ...triggers,
        definition,
        queueUrl: engines.queueUrl(definition.queueName),
        sqsClient: engines.sqsClient,
        invoke: invokes.get(definition.functionName) as Invoke,
        maxConcurrency: Math.min(maxConcurrency, definition.maxConcurrency ?? maxConcurrency),
        redeliverAcknowledged,
      }),
  );
  const rules = rateRules(resources);
  const timers = new QueueTimers(timeScale);
  const rateRuleRunner = new RateRuleRunner({ ...triggers, rules, invokes, timers });
  cleanup.add(() => Promise.all(eventSources.map((eventSource) => eventSource.stop())));
  cleanup.add(() => timers.stop());
  // The instances end first, so that no invocation is waited for.
  cleanup.add(() => fleet.stop());
  cleanup.add(() => eventSources.map((eventSource) => eventSource.stopPolling()));
  for (const eventSource of eventSources) eventSource.start();
  rateRuleRunner.start();

  return {
    dynamoDBEndpoint: engines.endpoints.dynamodb,
    dynamoDBEngine: engines.dynamoDB.name,
    sqsEndpoint: engines.endpoints.sqs,
    eventBridgeEndpoint: engines.endpoints.eventbridge,
    schedulerEndpoint: engines.endpoints.scheduler,
    resources,
    notRun,
    outputs,
    queueUrl: engines.queueUrl,
    capacity: () => capacity.totals,
    runningInvocations: () =>
      eventSources.reduce(
        (total, { runningInvocations }) => total + runningInvocations,
        rateRuleRunner.runningInvocations,
      ),
    schedules: engines.schedules,
    advanceQueueClock: (seconds) => {
      engines.advanceClock(seconds * 1_000);
      timers.advance(seconds * 1_000);
    },
    processIds: () => fleet.processIds,
    failed,
    stop: () => cleanup.run(),
  };
}
