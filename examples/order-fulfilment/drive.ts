import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type LocalApp, startLocalApp } from 'sagabox/local';
import { ProgressLine } from '../../test/support/progress-line.ts';
import { figuresOf } from './figures.ts';
import { Notifications } from './notifications.ts';
import { orderIds, placeOrders } from './producer.ts';
import { type QueueDepth, queueDepth, sumOfDepths } from './queue-depths.ts';
import type { RunOptions } from './run-options.ts';
import { crashPlan } from './seams.ts';
import { settle } from './settle.ts';
import type { RunResult } from './summary.ts';
import { synthesize } from './synthesize.ts';
import { Tally } from './tally.ts';
import { judge } from './verdict.ts';

/** Seconds of the queues' clock in one real second: a visibility timeout of a minute takes three. */
const timeScale = 20;
const instancesPerFunction = 2;

/**
 * Synthesizes the sample, runs it on this machine, places the orders, and checks what came of them. Whatever
 * happens, nothing of it is left running.
 *
 * @param signal ends the run early.
 */
export async function drive(
  options: RunOptions,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<RunResult> {
  const assemblyDirectory = await mkdtemp(join(tmpdir(), 'sagabox-assembly-'));
  const tally = new Tally();
  let app: LocalApp | undefined;
  try {
    say('Synthesizing the sample app ...');
    await synthesize(assemblyDirectory, options, signal);
    say('Starting DynamoDB and the SQS emulator, creating what the templates declare ...');
    app = await startLocalApp({
      assemblyDirectory,
      timeScale,
      maxConcurrency: instancesPerFunction,
      redeliverAcknowledged: true,
      faults: crashPlan(options.orders),
      onOutput: (output) => tally.readOutput(output),
      onInvocation: (report) => tally.countInvocation(report),
      onFault: (rule) => tally.countFault(rule),
    });
    signal.throwIfAborted();
    say(`DynamoDB is ${app.dynamoDBEngine}`);
    for (const { stackName, type, logicalIds } of app.notRun) {
      say(`Not run here: ${logicalIds.length} x ${type} of ${stackName}`);
    }
    say(`Placing ${options.orders} orders; every message is delivered twice ...`);
    return await Promise.race([app.failed, watch(app, tally, options, signal)]);
  } finally {
    await app?.stop();
    await rm(assemblyDirectory, { recursive: true, force: true });
  }
}

async function watch(
  app: LocalApp,
  tally: Tally,
  options: RunOptions,
  signal: AbortSignal,
): Promise<RunResult> {
  const sqsClient = new SQSClient(app.clientConfig);
  const dynamoDBClient = new DynamoDBClient(app.clientConfig);
  const startedAt = Date.now();
  const orders = orderIds(options.orders);
  const notifications = new Notifications();
  const { OrdersQueueUrl: ordersQueueUrl = '', NotificationsQueueUrl: notificationsQueueUrl = '' } =
    app.outputs;
  const queues = queuesOf(app);
  const progressLine = new ProgressLine(process.stderr);
  try {
    await placeOrders(sqsClient, ordersQueueUrl, orders, signal);
    const settled = await settle({
      depth: async () =>
        sumOfDepths(await Promise.all(queues.working.map((url) => queueDepth(sqsClient, url)))),
      runningInvocations: app.runningInvocations,
      advanceQueueClock: app.advanceQueueClock,
      progress: () => tally.messagesDelivered + tally.messagesAcknowledged + notifications.received,
      onTick: async (depth) => {
        await notifications.drain(sqsClient, notificationsQueueUrl, signal);
        progressLine.show(progressOf(tally, notifications, depth, startedAt));
      },
      signal,
    });
    await notifications.drain(sqsClient, notificationsQueueUrl, signal);
    const verdict = await judge({
      orderIds: orders,
      dynamoDBClient,
      outputs: app.outputs,
      notifications,
      messageIds: (type, orderId) => tally.messageIds(type, orderId),
      ordersTimedOut: tally.ordersTimedOut,
    });
    const capacity = app.capacity();
    const dead = sumOfDepths(await Promise.all(queues.deadLetter.map((url) => queueDepth(sqsClient, url))));
    return {
      figures: figuresOf(options.orders, tally, verdict, capacity, app.dynamoDBEngine),
      tally,
      verdict,
      capacity,
      deadLetters: dead.ready + dead.inFlight,
      settled,
      seconds: (Date.now() - startedAt) / 1_000,
    };
  } finally {
    progressLine.end();
    sqsClient.destroy();
    dynamoDBClient.destroy();
  }
}

/** Messages end in the queues that another queue redrives to, and in the error queues of functions. */
function queuesOf(app: LocalApp): { working: string[]; deadLetter: string[] } {
  const queues = app.resources.filter(({ type }) => type === 'AWS::SQS::Queue');
  const deadLetterArns = queues.map(
    ({ properties }) =>
      (properties.RedrivePolicy as { deadLetterTargetArn?: string } | undefined)?.deadLetterTargetArn,
  );
  const errorQueues = app.resources.map(
    ({ properties }) =>
      (properties.Environment as { Variables?: Record<string, string> } | undefined)?.Variables
        ?.SAGABOX_ERROR_QUEUE,
  );
  const isDeadLetter = (name: string): boolean =>
    deadLetterArns.some((arn) => arn?.endsWith(`:${name}`)) ||
    errorQueues.some((queue) => queue === name || queue === app.queueUrl(name));
  const urls = (dead: boolean): string[] =>
    queues.filter(({ name }) => isDeadLetter(name) === dead).map(({ name }) => app.queueUrl(name));
  return { working: urls(false), deadLetter: urls(true) };
}

function progressOf(
  tally: Tally,
  notifications: Notifications,
  { ready, inFlight, delayed }: QueueDepth,
  startedAt: number,
): string {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(0);
  return (
    `${seconds} s: ${tally.messagesDelivered} delivered, ${tally.duplicatesDelivered} of them again, ` +
    `${tally.crashesInjected} crashes, ${notifications.received} notifications; ` +
    `queues: ${ready} ready, ${inFlight} in flight, ${delayed} delayed`
  );
}
