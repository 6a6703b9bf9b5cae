import { setTimeout as wait } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { queueNamed } from '../../local/app/resources/named-resource.ts';
import type { LocalApp } from '../../local/index.ts';
import { eventSourceDefinitions } from '../../local/lambda/event-source-definition.ts';
import { recordedCall } from '../../local/proxy/recorded-call.ts';
import type { CommandIo, CommandResult } from '../command.ts';
import { sendMessage } from '../messages/send-message.ts';
import { countMessages } from '../queue-count.ts';
import { appLines, appObject } from './app-lines.ts';
import { AppTally } from './app-tally.ts';
import type { AppMeasureOptions } from './options.ts';

const POLL_MS = 50;
/** Retries of a message that fails wait for minutes; one that is never done is no figure. */
const SETTLE_MS = 300_000;

/** Runs a synthesized app, and measures what its functions consume for the messages. */
export async function measureApp(options: AppMeasureOptions, io: CommandIo): Promise<CommandResult> {
  // It brings emulators along, which no other command needs.
  const { startLocalApp } = await import('../../local/index.ts');
  io.signal.throwIfAborted();
  const { assemblyDirectory } = options;
  io.err(`Starting the app in ${assemblyDirectory}`);
  const tally = new AppTally();
  const app = await startLocalApp({
    assemblyDirectory,
    onCall: (call, answer) => tally.add(call.functionName, recordedCall(call, answer)),
    onInvocation: (report) => tally.invoked(report),
  });
  const sqsClient = new SQSClient(app.clientConfig);
  try {
    return await Promise.race([run({ app, sqsClient, tally, io }, options), app.failed]);
  } finally {
    sqsClient.destroy();
    await app.stop();
  }
}

interface RunningApp {
  readonly app: LocalApp;
  readonly sqsClient: SQSClient;
  readonly tally: AppTally;
  readonly io: CommandIo;
}

async function run(running: RunningApp, options: AppMeasureOptions): Promise<CommandResult> {
  const { app, sqsClient, tally, io } = running;
  const { messages } = options;
  const queue = queueNamed(app.resources, options.queue);
  const fed = feeds(app);
  const predictedFunction = fed.get(queue);
  if (predictedFunction === undefined) throw new Error(`The queue '${queue}' feeds no function of the app`);
  io.err(`Sending ${messages.length} messages to ${queue}, one by one`);
  for (const message of messages) {
    await sendMessage(sqsClient, app.queueUrl(queue), message);
    await settle(running, [...fed.keys()]);
  }
  const functions = tally.figures();
  const report = tally.report(predictedFunction, options);
  const { doubts } = tally;
  const figures = { queue, messages: messages.length, functions, doubts, predictedFunction, report };
  const result = { engine: app.dynamoDBEngine, ...figures };
  const failed = functions.some(({ failures }) => failures > 0) || report?.isEqual === false;
  return { json: () => appObject(result), lines: () => appLines(result), failed };
}

/** The functions of the queues that feed one: the others, such as error queues, keep what they get. */
function feeds({ resources }: LocalApp): Map<string, string> {
  const sources = eventSourceDefinitions(resources);
  return new Map(sources.map(({ queueName, functionName }) => [queueName, functionName]));
}

/** Waits until no message is in flight; delayed and scheduled messages are not waited for. */
async function settle({ app, sqsClient, tally, io }: RunningApp, queues: readonly string[]): Promise<void> {
  const endsAt = Date.now() + SETTLE_MS;
  while (Date.now() < endsAt) {
    io.signal.throwIfAborted();
    const before = tally.activity;
    const left = await Promise.all(queues.map((queue) => countMessages(sqsClient, app.queueUrl(queue))));
    // Whoever handles a message meanwhile may send another one to a queue that was empty.
    const isQuiet = app.runningInvocations() === 0 && tally.activity === before;
    if (isQuiet && left.every((count) => count === 0)) return;
    await wait(POLL_MS, undefined, { signal: io.signal });
  }
  throw new Error(`The queues are not empty after ${SETTLE_MS / 1_000} seconds: does a message fail?`);
}
