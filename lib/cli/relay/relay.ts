import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { configureRecovery, type Recovery } from '../../middleware/configure-recovery.ts';
import { type Command, type CommandIo, exitCodes } from '../command.ts';
import { queueUrlsTellEndpoint } from '../redrive/sqs-endpoint.ts';
import { isRefusal, type RecoverCommandOptions, readRecoverCommand, recoverUsage } from './options.ts';
import { linesOf, problemOf } from './result.ts';
import { hasOtherKeys, runDry, runRecovery } from './run.ts';

export const recoverCommand: Command = {
  usage: recoverUsage,
  async run(args, io) {
    const command = readRecoverCommand(args, process.env);
    if ('help' in command) {
      io.out(recoverUsage);
      return exitCodes.ok;
    }
    if ('refused' in command) return refuse(command.refused, io);
    const clients = {
      dynamoDBClient: new DynamoDBClient({}),
      sqsClient: new SQSClient({ useQueueUrlAsEndpoint: queueUrlsTellEndpoint() }),
    };
    try {
      return await recoverByCommand(command.run, clients, io);
    } finally {
      clients.dynamoDBClient.destroy();
      clients.sqsClient.destroy();
    }
  },
};

/** @returns the exit code */
export async function recoverByCommand(
  { recovery: options, dryRun, json }: RecoverCommandOptions,
  clients: { dynamoDBClient: DynamoDBClient; sqsClient: SQSClient },
  io: CommandIo,
): Promise<number> {
  let recovery: Recovery;
  try {
    // Whoever runs it by hand has mended something, and does not want to wait.
    recovery = configureRecovery({ ...options, ...clients, includePostponed: true });
  } catch (error) {
    if (isRefusal(error)) return refuse(error.message, io);
    throw error;
  }
  if (await hasOtherKeys(recovery)) {
    const { tableName = '' } = options.outboxTable ?? {};
    const reason = `--partition-key, --sort-key: they are not the keys of the table '${tableName}'`;
    return refuse(reason, io);
  }
  const result = dryRun ? await runDry(recovery, io) : await runRecovery(recovery, io);
  for (const line of linesOf(result, recovery.endpoint, json)) io.out(line);
  const problem = problemOf(result);
  // Lines have it already; an object may be read by a program alone.
  if (problem !== undefined && json) io.err(problem);
  return result.failed.length > 0 || problem !== undefined ? exitCodes.failed : exitCodes.ok;
}

function refuse(reason: string, io: CommandIo): number {
  io.err(`${reason}\n\n${recoverUsage}`);
  return exitCodes.refused;
}
