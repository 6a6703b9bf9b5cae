import { Option } from 'commander';
import { jsonOption, since, stringOption, url, wholeNumber } from '../option-values.ts';

const failureQueues = ['errors', 'dead-letters', 'undelivered'] as const;

/** The queues of an endpoint that messages can be moved out of. */
export type FailureQueueName = (typeof failureQueues)[number];

/** What the command line says. */
export interface RedriveValues extends Omit<RedriveOptions, 'from' | 'deployed'> {
  readonly from?: string;
  readonly stack?: string;
  readonly endpoint?: string;
  readonly queue?: FailureQueueName;
}

/**
 * The queues that the outputs of a stack name, for messages that SQS itself did not move. In an error queue the
 * failure header tells which of them; what else a message says of itself is its sender's.
 */
export type DeployedQueues =
  | { readonly kind: 'forwarded'; readonly stack: string; readonly queueUrls: readonly string[] }
  | { readonly kind: 'undelivered'; readonly queueUrl: string };

export interface RedriveOptions {
  readonly from: string;
  /** Of the stack, if the command line names one. */
  readonly deployed?: DeployedQueues;
  /** `undefined` for the queue that each message came from. */
  readonly to?: string | undefined;
  readonly code?: readonly string[];
  readonly type?: readonly string[];
  readonly id?: readonly string[];
  readonly correlationId?: readonly string[];
  readonly since?: Date;
  readonly max?: number;
  readonly dryRun?: boolean;
}

export const redriveOptions = [
  new Option('--from <url>', 'queue to take messages from').argParser(url),
  stringOption(
    '--stack <name>',
    'in place of --from: stack whose outputs name the queues of its endpoints; with --endpoint',
  ).conflicts('from'),
  stringOption('--endpoint <name>', 'with --stack: endpoint whose failed messages are moved'),
  new Option('--queue <queue>', 'with --stack: queue to take messages from (default: errors)').choices(
    failureQueues,
  ),
  new Option(
    '--to <url>',
    'queue to send them to (default: the one that SQS moved it from; with --stack also the queue of the endpoint ' +
      'that forwarded it, or whose subscription could not deliver it)',
  ).argParser(url),
  new Option('--code <code...>', 'only messages that failed with one of these error codes'),
  new Option('--type <type...>', 'only messages of these types'),
  new Option('--id <id...>', 'only messages with these ids'),
  new Option(
    '--correlation-id <value...>',
    'only messages that a saga with one of these correlation values has sent, or requested as a timeout',
  ),
  new Option(
    '--since <time>',
    'only messages that failed since a time (2026-11-21T06:00Z) or a duration ago (90s, 30m, 12h, 7d)',
  ).argParser(since),
  new Option('--max <n>', 'move at most n messages').argParser(wholeNumber),
  new Option('--dry-run', 'list what would be moved, and move nothing'),
  jsonOption,
];
