import type { Workload } from '../../capacity/index.ts';
import { type OptionValues, readArguments, textOf } from '../command-arguments.ts';
import { readWorkload, workloadOptions, workloadUsage } from '../plan/workload-options.ts';
import { type AppMeasureOptions, readAppOptions } from './app-options.ts';
import { type MeasuredShape, measuredShape } from './measured-shape.ts';
import { SyntheticMessages } from './synthetic-messages.ts';

/** Tables and queues that are there already. */
export interface AccountTables {
  readonly outboxTableName: string;
  readonly sagaTableName: string;
  readonly queueUrls: readonly string[];
}

export interface MeasureOptions {
  readonly shape: MeasuredShape;
  readonly messages: SyntheticMessages;
  readonly count: number;
  readonly sharedTable: boolean;
  /** Nothing for engines on this machine. */
  readonly account: AccountTables | undefined;
  /** Of an engine that runs already. */
  readonly dynamoDBEndpoint: string | undefined;
  readonly json: boolean;
  /** What of the workload a run does not do, in words. */
  readonly leftOut: readonly string[];
}

export type MeasureCommandLine =
  | { run: MeasureOptions }
  | { app: AppMeasureOptions }
  | { help: true }
  | { refused: readonly string[] };

const defaults = { messages: 20 } as const;
const maxMessages = 10_000;

export const measureUsage = `Runs messages of a workload, and prints what each of their calls takes beside what the plan of it says.

Usage: sagabox measure [options]
       sagabox measure --app cdk.out --queue NAME --messages FILE [options]

A synthetic saga, whose items are exactly as large as the workload says, is run by the handler that users deploy, one message
an invocation: on a DynamoDB engine and an emulator of SQS, which are started for it and stopped after it, or in an account.

  --messages N                   new messages to measure, up to ${maxMessages} (default: ${defaults.messages})
  --dynamodb-endpoint URL        a DynamoDB engine that runs already (default: SAGABOX_DYNAMODB_ENDPOINT, else one is started)
  --table NAME                   in an account: the outbox table, and the saga table unless that is given
  --saga-table NAME              in an account: the saga table, when it is another one
  --queue URL                    in an account: a queue without consumers; one for each destination, may be repeated
  --yes                          writing into the account is meant; what was written is removed at the end
  --app DIR                      run a synthesized app here in place of the synthetic saga, and print what its functions take
  --queue NAME                   with --app: the queue that the messages are sent to, by its name or its logical id
  --messages FILE                with --app: a JSON array of { type, body, id?, headers? }; they are sent one by one
  --json                         write the result as one JSON object
  --help                         this text

${workloadUsage}

With --app, options of the workload set its plan beside what the function of the queue takes.

Exit code: 0 when every step of every message takes what was planned, 1 when one does not or the run failed, 2 for options
that are not understood.`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Reads the command line; what it does not understand is refused, with all reasons. */
export async function readMeasureCommand(args: readonly string[]): Promise<MeasureCommandLine> {
  const { values, problems: unread } = readArguments(args, {
    ...workloadOptions,
    app: text,
    messages: text,
    'dynamodb-endpoint': text,
    table: text,
    'saga-table': text,
    queue: { ...text, multiple: true },
    yes: flag,
    json: flag,
    help: { ...flag, short: 'h' },
  });
  if (values.help) return { help: true };
  if (values.app !== undefined) {
    const read = await readAppOptions(values);
    if ('problems' in read) return { refused: [...unread, ...read.problems] };
    return unread.length > 0 ? { refused: unread } : { app: read.app };
  }
  const problems = [...unread, ...countProblems(values), ...endpointProblems(values)];
  const read = await readWorkload(values, { messagesPerSecond: 1 });
  if ('problems' in read) return { refused: [...problems, ...read.problems] };
  const { workload } = read;
  if (workload.message.layout === 'itemized') {
    problems.push("--layout: a run stores sagabox's own layout, packed");
  }
  const shape = measuredShape(workload.message);
  const account = accountOf(values, shape, problems);
  const messages = syntheticMessages(shape, problems);
  if (messages === undefined || problems.length > 0) return { refused: problems };
  return {
    run: {
      shape,
      messages,
      count: Number(textOf(values, 'messages') ?? defaults.messages),
      sharedTable: workload.sharedTable ?? false,
      account,
      dynamoDBEndpoint: textOf(values, 'dynamodb-endpoint'),
      json: values.json === true,
      leftOut: leftOut(workload),
    },
  };
}

function countProblems(values: OptionValues): string[] {
  const given = textOf(values, 'messages');
  const isCount = given === undefined || (/^[1-9]\d*$/.test(given) && Number(given) <= maxMessages);
  return isCount ? [] : [`--messages takes a whole number from 1 to ${maxMessages}, not '${given}'`];
}

function endpointProblems(values: OptionValues): string[] {
  const given = textOf(values, 'dynamodb-endpoint');
  if (given === undefined || (URL.canParse(given) && /^https?:/.test(given))) return [];
  return [`--dynamodb-endpoint takes a URL such as http://127.0.0.1:8000, not '${given}'`];
}

/** Nothing is asked: a command that runs in a script would wait for ever. */
function accountOf(
  values: OptionValues,
  { outgoing, destinations }: MeasuredShape,
  problems: string[],
): AccountTables | undefined {
  const outboxTableName = textOf(values, 'table');
  const queueUrls = Array.isArray(values.queue) ? (values.queue as readonly string[]) : [];
  if (outboxTableName === undefined) {
    const needless = ['saga-table', 'queue', 'yes'].filter((name) => values[name] !== undefined);
    problems.push(...needless.map((name) => `--${name} is for a run in an account: give --table too`));
    return undefined;
  }
  if (values.yes !== true) {
    problems.push(
      `--table: the run writes into '${outboxTableName}', and removes that at the end: add --yes when it may`,
    );
  }
  if (values['dynamodb-endpoint'] !== undefined) {
    problems.push(
      '--dynamodb-endpoint is for an engine on this machine, and --table for an account: give one of them',
    );
  }
  const needed = outgoing === 0 ? 0 : destinations;
  if (queueUrls.length !== needed) {
    problems.push(`--queue: the messages go to ${needed} queues, and ${queueUrls.length} are given`);
  }
  for (const url of queueUrls) {
    if (!URL.canParse(url)) problems.push(`--queue takes the URL of a queue, not '${url}'`);
    else if (url.endsWith('.fifo')) problems.push(`--queue: '${url}' is a FIFO queue: give a standard one`);
  }
  if (new Set(queueUrls).size < queueUrls.length) problems.push('--queue: one is given twice');
  return { outboxTableName, sagaTableName: textOf(values, 'saga-table') ?? outboxTableName, queueUrls };
}

function syntheticMessages(shape: MeasuredShape, problems: string[]): SyntheticMessages | undefined {
  try {
    const messages = SyntheticMessages.of(shape);
    if (!('problems' in messages)) return messages;
    problems.push(...messages.problems.map(({ path, problem }) => `${optionOf[path] ?? path}: ${problem}`));
  } catch (error) {
    problems.push((error as Error).message);
  }
  return undefined;
}

const optionOf: Readonly<Record<string, string>> = {
  'message.metadataBytes': '--metadata-size',
  'message.sagaBytes': '--saga-size',
  'message.messageBytes': '--message-size',
};

function leftOut({ message, batchSize = 1 }: Workload): string[] {
  const { lockAttempts = 1, conflictRate = 0 } = message;
  return [
    ...(lockAttempts === 1
      ? []
      : ['lock attempts: a run meets no other handler, and takes each lease at once']),
    ...(conflictRate === 0 ? [] : ['conflicts: a run meets no other handler']),
    ...(batchSize === 1 ? [] : ['batches: each message has an invocation of its own']),
  ];
}
