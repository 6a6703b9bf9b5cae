import { CallRecorder } from '../../capacity/index.ts';
import { outboxPartitionPrefix } from '../../dynamodb/keys.ts';
import { type Clients, withClients } from '../clients.ts';
import { type CommandDefinition, type CommandIo, type CommandResult, reasonOf } from '../command.ts';
import { whileLaunched } from '../local/launcher.ts';
import { WrittenItems } from './account-target.ts';
import { measureApp } from './app-run.ts';
import { type LocalClients, type MeasureTarget, withLocalEngines, withLocalTarget } from './local-target.ts';
import {
  type AccountTables,
  type MeasureOptions,
  type MeasureValues,
  measureOptions,
  readAppOptions,
  readMeasureOptions,
} from './options.ts';
import { isEqual, linesOf, objectOf } from './result-lines.ts';
import { type MeasureParts, MeasureRun } from './run.ts';
import { sagaName } from './synthetic-endpoint.ts';

/** SQS asks all of its servers when a receive waits, and some of them when it does not. */
const WAIT_SECONDS = 2;

export const measureCommand: CommandDefinition<MeasureValues> = {
  usage: '[options]',
  options: measureOptions,
  notes: `The command runs the production handler with a synthetic saga, one message per invocation. The items
are exactly as large as the workload says. Without --table, the command starts a DynamoDB engine and an
SQS emulator, and stops them at the end. With --app, options of the workload set its plan beside what
the function of the queue consumes.
The command fails if a step of a message does not consume what was planned.`,
  async run(values, io) {
    if (values.app !== undefined) {
      const app = await readAppOptions(values.app, values);
      return await whileLaunched(io, (launched) => measureApp(app, launched));
    }
    const options = await readMeasureOptions(values);
    const { account } = options;
    if (account === undefined)
      return await whileLaunched(io, (launched) => measureStarted(options, launched));
    return await withClients((clients) => measureTables(clients, account, options, io, WAIT_SECONDS));
  },
};

async function measureStarted(options: MeasureOptions, io: CommandIo): Promise<CommandResult> {
  const isRunning = options.dynamoDBEndpoint ?? process.env.SAGABOX_DYNAMODB_ENDPOINT;
  io.err(isRunning ? 'Starting the SQS emulator' : 'Starting DynamoDB and the SQS emulator');
  return await withLocalEngines(options.dynamoDBEndpoint, (clients, engineEnd) =>
    measureLocally(clients, options, { ...io, signal: AbortSignal.any([io.signal, engineEnd]) }),
  );
}

/** On engines that run already. */
export async function measureLocally(
  clients: LocalClients,
  options: MeasureOptions,
  io: CommandIo,
): Promise<CommandResult> {
  const { shape, sharedTable } = options;
  const queues = shape.outgoing === 0 ? 0 : shape.destinations;
  const parts = { recorder: new CallRecorder(), onCalls: () => {} };
  return await withLocalTarget(clients, { sharedTable, queues }, (target) =>
    measure({ target, ...parts }, options, io),
  );
}

/** In existing tables and queues, from which everything written is removed. */
export async function measureTables(
  clients: Clients,
  tables: AccountTables,
  options: MeasureOptions,
  io: CommandIo,
  waitSeconds: number,
): Promise<CommandResult> {
  const target: MeasureTarget = { ...clients, ...tables, engine: 'an account' };
  const [recorder, written] = [new CallRecorder(), new WrittenItems()];
  try {
    return await measure({ target, recorder, onCalls: (calls) => written.add(calls) }, options, io);
  } finally {
    written.add(recorder.take());
    await remove(written, target, options.messages.endpoint, io, waitSeconds);
  }
}

/** Never fails: the reason of a failed run would be lost. */
async function remove(
  written: WrittenItems,
  target: MeasureTarget,
  endpoint: string,
  io: CommandIo,
  waitSeconds: number,
): Promise<void> {
  io.err('Removing what was written');
  const keys = `'${outboxPartitionPrefix(endpoint)}' and 'SAGA#${sagaName}#'`;
  try {
    const { items, messages } = await written.remove(target, endpoint, waitSeconds);
    if (items > 0) io.err(`${items} items were not removed: their keys begin with ${keys}`);
    if (messages > 0) io.err(`${messages} messages were not found in their queues, and not removed`);
  } catch (error) {
    io.err(`Not all was removed: ${reasonOf(error)}. The keys of its items begin with ${keys}`);
  }
}

async function measure(
  parts: Pick<MeasureParts, 'target' | 'recorder' | 'onCalls'>,
  { shape, messages, count, leftOut }: MeasureOptions,
  io: CommandIo,
): Promise<CommandResult> {
  io.signal.throwIfAborted();
  for (const part of leftOut) io.err(`Left out: ${part}`);
  io.err(`Measuring ${count} messages`);
  const result = await new MeasureRun(shape, { ...parts, messages, io }).run(count);
  return { json: () => objectOf(result), lines: () => linesOf(result), failed: !isEqual(result) };
}
