import type { SQSClient } from '@aws-sdk/client-sqs';
import { withClients } from '../clients.ts';
import { type CommandDefinition, type CommandIo, type CommandResult, RefusedInput } from '../command.ts';
import { FailureQueue } from './failure-queue.ts';
import { type RedriveOptions, type RedriveValues, redriveOptions } from './options.ts';
import { redriveOptionsOf } from './queues.ts';
import { linesOf, objectOf } from './result.ts';
import { RedriveRun } from './run.ts';

/** SQS asks all of its servers when a receive waits, and some of them when it does not. */
const WAIT_SECONDS = 2;

export const redriveCommand: CommandDefinition<RedriveValues> = {
  usage: '(--from <url> | --stack <name> --endpoint <name>) [options]',
  options: redriveOptions,
  notes: `Each message is sent, then deleted: an interruption loses none, and a message that is in both queues
has the same id, so that it is handled once. Messages that a filter leaves out stay in the queue.
Region and credentials come from the environment, as for every AWS tool.`,
  async run(values, io) {
    const options = await redriveOptionsOf(values);
    if (options.from === options.to)
      throw new RefusedInput(['--to is the queue of --from: its messages are there already']);
    return await withClients(
      async ({ sqsClient }) =>
        await withClients(
          ({ sqsClient: sender }) => redrive(sqsClient, options, io, WAIT_SECONDS, sender),
          regionOf(options.to ?? options.from) ?? regionOf(options.from),
        ),
      regionOf(options.from),
    );
  },
};

export async function redrive(
  client: SQSClient,
  options: RedriveOptions,
  io: CommandIo,
  waitSeconds: number,
  sender = client,
): Promise<CommandResult> {
  const mayBeForwarded = options.deployed?.kind !== 'undelivered';
  const queue = new FailureQueue({ client, sender, queueUrl: options.from, waitSeconds, mayBeForwarded });
  const result = await new RedriveRun(options, queue, io).run();
  const { failed, interrupted, problem } = result;
  return {
    json: () => objectOf(result, options),
    lines: () => linesOf(result, options),
    failed: failed.length > 0 || interrupted || problem !== undefined,
    problem,
  };
}

/**
 * A URL of SQS names its region; the environment does for others.
 * Source: "Amazon SQS endpoints and quotas", on regional, dual-stack and legacy endpoints, and those of a VPC.
 */
export function regionOf(queueUrl: string): string | undefined {
  const host = URL.parse(queueUrl)?.hostname ?? '';
  const [, regional, legacy] =
    /(?:^|\.)sqs\.([a-z0-9-]+)\.(?:(?:vpce\.)?amazonaws\.com(?:\.cn)?|api\.aws)$|^([a-z0-9-]+)\.queue\.amazonaws\.com(?:\.cn)?$/.exec(
      host,
    ) ?? [];
  return regional ?? legacy;
}
