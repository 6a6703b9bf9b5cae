import { SQSClient } from '@aws-sdk/client-sqs';
import { type Command, type CommandIo, exitCodes } from '../command.ts';
import { FailureQueue } from './failure-queue.ts';
import { type RedriveOptions, readRedriveCommand, redriveUsage } from './options.ts';
import { linesOf } from './result.ts';
import { RedriveRun } from './run.ts';
import { SourceQueues } from './source-queues.ts';
import { queueUrlsTellEndpoint } from './sqs-endpoint.ts';

/** SQS asks all of its servers when a receive waits, and some of them when it does not. */
const WAIT_SECONDS = 2;

export const redriveCommand: Command = {
  usage: redriveUsage,
  async run(args, io) {
    const command = readRedriveCommand(args, new Date());
    if ('help' in command) {
      io.out(redriveUsage);
      return exitCodes.ok;
    }
    if ('refused' in command) {
      io.err(`${command.refused}\n\n${redriveUsage}`);
      return exitCodes.refused;
    }
    const client = new SQSClient({
      ...regionOf(command.run.from),
      useQueueUrlAsEndpoint: queueUrlsTellEndpoint(),
    });
    try {
      return await redrive(client, command.run, io, WAIT_SECONDS);
    } finally {
      client.destroy();
    }
  },
};

/** @returns the exit code */
export async function redrive(
  client: SQSClient,
  options: RedriveOptions,
  io: CommandIo,
  waitSeconds: number,
): Promise<number> {
  const queue = new FailureQueue(client, options.from, waitSeconds);
  const sources = new SourceQueues(client);
  const run = new RedriveRun(options, { queue, sources, signal: io.signal, progress: io.err });
  const result = await run.run();
  for (const line of linesOf(result, options)) io.out(line);
  const { failed, interrupted, problem } = result;
  // Lines have it already; an object may be read by a program alone.
  if (problem !== undefined && options.json) io.err(problem);
  return failed.length > 0 || interrupted || problem !== undefined ? exitCodes.failed : exitCodes.ok;
}

/** A URL of SQS names its region; the environment does for others. */
function regionOf(queueUrl: string): { region?: string } {
  const [, region] = /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com/.exec(queueUrl) ?? [];
  return region === undefined ? {} : { region };
}
