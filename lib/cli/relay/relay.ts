import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { configureRelay, type Relay } from '../../middleware/relay/configure-relay.ts';
import { type Command, type CommandIo, exitCodes } from '../command.ts';
import { queueUrlsTellEndpoint } from '../redrive/sqs-endpoint.ts';
import { isRefusal, type RelayCommandOptions, readRelayCommand, relayUsage } from './options.ts';
import { linesOf, problemOf } from './result.ts';
import { hasOtherKeys, runDry, runRelay } from './run.ts';

export const relayCommand: Command = {
  usage: relayUsage,
  async run(args, io) {
    const command = readRelayCommand(args, process.env);
    if ('help' in command) {
      io.out(relayUsage);
      return exitCodes.ok;
    }
    if ('refused' in command) return refuse(command.refused, io);
    const clients = {
      dynamoDBClient: new DynamoDBClient({}),
      sqsClient: new SQSClient({ useQueueUrlAsEndpoint: queueUrlsTellEndpoint() }),
    };
    try {
      return await relayByCommand(command.run, clients, io);
    } finally {
      clients.dynamoDBClient.destroy();
      clients.sqsClient.destroy();
    }
  },
};

/** @returns the exit code */
export async function relayByCommand(
  { relay: options, dryRun, json }: RelayCommandOptions,
  clients: { dynamoDBClient: DynamoDBClient; sqsClient: SQSClient },
  io: CommandIo,
): Promise<number> {
  let relay: Relay;
  try {
    // Whoever runs it by hand has mended something, and does not want to wait.
    relay = configureRelay({ ...options, ...clients, includePostponed: true });
  } catch (error) {
    if (isRefusal(error)) return refuse(error.message, io);
    throw error;
  }
  if (await hasOtherKeys(relay)) {
    const { tableName = '' } = options.outboxTable ?? {};
    const reason = `--partition-key, --sort-key: they are not the keys of the table '${tableName}'`;
    return refuse(reason, io);
  }
  const result = dryRun ? await runDry(relay, io) : await runRelay(relay, io);
  for (const line of linesOf(result, relay.endpoint, json)) io.out(line);
  const problem = problemOf(result);
  // Lines have it already; an object may be read by a program alone.
  if (problem !== undefined && json) io.err(problem);
  return result.failed.length > 0 || problem !== undefined ? exitCodes.failed : exitCodes.ok;
}

function refuse(reason: string, io: CommandIo): number {
  io.err(`${reason}\n\n${relayUsage}`);
  return exitCodes.refused;
}
