import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { CallRecorder, type MeteredCall } from '../../capacity/index.ts';
import { outboxPartitionPrefix } from '../../core/storage/keys.ts';
import { type Command, type CommandIo, exitCodes } from '../command.ts';
import { queueUrlsTellEndpoint } from '../redrive/sqs-endpoint.ts';
import { WrittenItems } from './account-target.ts';
import { measureApp } from './app-run.ts';
import { type LocalClients, withLocalEngines, withLocalTarget } from './local-target.ts';
import { type AccountTables, type MeasureOptions, measureUsage, readMeasureCommand } from './options.ts';
import { isEqual, toJson, toLines } from './result-lines.ts';
import { MeasureRun } from './run.ts';
import { sagaName } from './synthetic-endpoint.ts';
import type { MeasureTarget } from './target.ts';

/** SQS asks all of its servers when a receive waits, and some of them when it does not. */
const WAIT_SECONDS = 2;

export const measureCommand: Command = {
  usage: measureUsage,
  async run(args, io) {
    const command = await readMeasureCommand(args);
    if ('help' in command) {
      io.out(measureUsage);
      return exitCodes.ok;
    }
    if ('refused' in command) {
      io.err(`${command.refused.join('\n')}\n\n${measureUsage}`);
      return exitCodes.refused;
    }
    try {
      if ('app' in command) return await measureApp(command.app, io);
      const { run: options } = command;
      return await (options.account
        ? measureAccount(options, options.account, io)
        : measureStarted(options, io));
    } catch (error) {
      io.err(io.signal.aborted ? 'Interrupted' : reasonOf(error));
      return exitCodes.failed;
    }
  },
};

async function measureStarted(options: MeasureOptions, io: CommandIo): Promise<number> {
  const runsAlready = options.dynamoDBEndpoint ?? process.env.SAGABOX_DYNAMODB_ENDPOINT;
  io.err(runsAlready ? 'Starting the SQS emulator' : 'Starting DynamoDB and the SQS emulator');
  return await withLocalEngines(options.dynamoDBEndpoint, (clients, engineEnd) =>
    measureLocally(clients, options, { ...io, signal: AbortSignal.any([io.signal, engineEnd]) }),
  );
}

/** On engines that run already. @returns the exit code */
export async function measureLocally(
  clients: LocalClients,
  options: MeasureOptions,
  io: CommandIo,
): Promise<number> {
  const { shape, sharedTable } = options;
  const needs = {
    sharedTable,
    relayIndex: shape.relayIndex,
    queues: shape.outgoing === 0 ? 0 : shape.destinations,
  };
  return await withLocalTarget(clients, needs, (target) => measure(target, new CallRecorder(), options, io));
}

async function measureAccount(
  options: MeasureOptions,
  tables: AccountTables,
  io: CommandIo,
): Promise<number> {
  const clients = {
    dynamoDBClient: new DynamoDBClient({}),
    sqsClient: new SQSClient({ useQueueUrlAsEndpoint: queueUrlsTellEndpoint() }),
  };
  try {
    return await measureTables(clients, tables, options, io, WAIT_SECONDS);
  } finally {
    clients.dynamoDBClient.destroy();
    clients.sqsClient.destroy();
  }
}

/** In tables and queues that are not ours: nothing of the run stays in them. @returns the exit code */
export async function measureTables(
  clients: Pick<LocalClients, 'dynamoDBClient' | 'sqsClient'>,
  tables: AccountTables,
  options: MeasureOptions,
  io: CommandIo,
  waitSeconds: number,
): Promise<number> {
  const target: MeasureTarget = { ...clients, ...tables, engine: 'an account' };
  const [recorder, written] = [new CallRecorder(), new WrittenItems()];
  try {
    return await measure(target, recorder, options, io, (calls) => written.add(calls));
  } finally {
    written.add(recorder.take());
    await remove(target, written, options, io, waitSeconds);
  }
}

/** Never fails: why the run failed would be lost. */
async function remove(
  target: MeasureTarget,
  written: WrittenItems,
  { messages: { endpoint } }: MeasureOptions,
  io: CommandIo,
  waitSeconds: number,
): Promise<void> {
  io.err('Removing what was written');
  try {
    const left = await written.remove(target, endpoint, waitSeconds);
    if (left.items > 0)
      io.err(`${left.items} items were not removed: their keys begin with ${keysOf(endpoint)}`);
    if (left.messages > 0)
      io.err(`${left.messages} messages were not found in their queues, and not removed`);
  } catch (error) {
    io.err(`Not all was removed: ${reasonOf(error)}. The keys of its items begin with ${keysOf(endpoint)}`);
  }
}

function keysOf(endpoint: string): string {
  return `'${outboxPartitionPrefix(endpoint)}' and 'SAGA#${sagaName}#'`;
}

async function measure(
  target: MeasureTarget,
  recorder: CallRecorder,
  options: MeasureOptions,
  io: CommandIo,
  onCalls: (calls: readonly MeteredCall[]) => void = () => {},
): Promise<number> {
  const { shape, messages, count, json, leftOut } = options;
  io.signal.throwIfAborted();
  for (const part of leftOut) io.err(`Left out: ${part}`);
  io.err(`Measuring ${count} messages`);
  const parts = { target, recorder, messages, signal: io.signal, progress: io.err, onCalls };
  const result = await new MeasureRun(shape, parts).run(count);
  for (const line of json ? [toJson(result)] : toLines(result)) io.out(line);
  return isEqual(result) ? exitCodes.ok : exitCodes.failed;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
