import { Option } from 'commander';
import type { MessageShape, Workload } from '../../capacity/index.ts';
import { type WholeShape, wholeShape } from '../../capacity/shape-defaults.ts';
import { RefusedInput } from '../command.ts';
import { type AppMessage, readAppMessages } from '../messages/read-messages.ts';
import { jsonOption, stringOption, url } from '../option-values.ts';
import { describesWorkload, readWorkload, type WorkloadValues } from '../plan/read-workload.ts';
import { workloadFileOption, workloadOptions } from '../plan/workload-options.ts';
import type { MeasureTarget } from './local-target.ts';
import { handledBefore, type SyntheticMessages, syntheticMessages } from './synthetic-messages.ts';

export interface MeasureValues extends WorkloadValues {
  readonly app?: string;
  readonly messages?: string;
  readonly queue?: readonly string[];
  readonly dynamodbEndpoint?: string;
  readonly table?: string;
  readonly sagaTable?: string;
  readonly yes?: boolean;
}

/** Tables and queues that exist already. */
export type AccountTables = Pick<MeasureTarget, 'outboxTableName' | 'sagaTableName' | 'queueUrls'>;

export interface MeasureOptions {
  readonly shape: WholeShape;
  readonly messages: SyntheticMessages;
  readonly count: number;
  readonly sharedTable: boolean;
  /** `undefined` for engines on this machine. */
  readonly account: AccountTables | undefined;
  /** Of a running engine. */
  readonly dynamoDBEndpoint: string | undefined;
  /** What of the workload a run does not do. */
  readonly leftOut: readonly string[];
}

export interface AppMeasureOptions {
  readonly assemblyDirectory: string;
  /** Its name or its logical id. */
  readonly queue: string;
  readonly messages: readonly AppMessage[];
  /** Of the messages, for the plan beside the measured units; `undefined` without workload options. */
  readonly shape: MessageShape | undefined;
  readonly sharedTable: boolean;
}

const DEFAULT_MESSAGES = 20;
const MAX_MESSAGES = 10_000;

export const measureOptions = [
  new Option(
    '--messages <n>',
    `new messages to measure, up to ${MAX_MESSAGES} (default: ${DEFAULT_MESSAGES}); with --app a file: a ` +
      'JSON array of { type, body, id?, headers? }, sent one by one',
  ),
  new Option(
    '--dynamodb-endpoint <url>',
    'running DynamoDB engine to use (default: SAGABOX_DYNAMODB_ENDPOINT, else one is started)',
  ).argParser(url),
  stringOption(
    '--table <name>',
    'measure in an account: outbox table, and saga table without --saga-table',
  ).conflicts('dynamodbEndpoint'),
  stringOption('--saga-table <name>', 'in an account: saga table'),
  new Option(
    '--queue <queue...>',
    'in an account: URLs of queues without consumers, one per destination; with --app the queue that ' +
      'the messages are sent to, by name or logical id',
  ),
  new Option('--yes', 'in an account: allow writing into it; everything written is removed at the end'),
  stringOption(
    '--app <directory>',
    'run a synthesized app on this machine, not the synthetic saga, and print what its functions consume',
  ).conflicts(['table', 'sagaTable', 'yes', 'dynamodbEndpoint']),
  jsonOption,
  workloadFileOption,
  ...workloadOptions,
];

/** @throws RefusedInput with all problems */
export async function readMeasureOptions(values: MeasureValues): Promise<MeasureOptions> {
  const read = await readWorkload(values, { messagesPerSecond: 1 });
  const problems = countProblems(values.messages);
  if ('problems' in read) throw new RefusedInput([...problems, ...read.problems]);
  const { message, sharedTable = false } = read.workload;
  // A run meets no other handler: it takes each lease at once, and meets no conflict.
  const whole = wholeShape(message);
  const shape: WholeShape = { ...whole, lockAttempts: 1, conflictRate: 0, liveIds: handledBefore(whole) };
  const messages = messagesOf(shape);
  problems.push(...accountProblems(values, shape), ...('problems' in messages ? messages.problems : []));
  if ('problems' in messages || problems.length > 0) throw new RefusedInput(problems);
  const { table, sagaTable = table, queue: queueUrls = [] } = values;
  const account =
    table === undefined
      ? undefined
      : { outboxTableName: table, sagaTableName: sagaTable ?? table, queueUrls };
  return {
    ...{ shape, messages, sharedTable, account },
    count: Number(values.messages ?? DEFAULT_MESSAGES),
    dynamoDBEndpoint: values.dynamodbEndpoint,
    leftOut: leftOut(read.workload),
  };
}

/** @throws RefusedInput with all problems */
export async function readAppOptions(app: string, values: MeasureValues): Promise<AppMeasureOptions> {
  const [queue = '', ...others] = values.queue ?? [];
  const messages = await readAppMessages('--messages', values.messages);
  const shaped = describesWorkload(values)
    ? await readWorkload(values, { messagesPerSecond: 1 })
    : { workload: undefined };
  const problems = [
    ...(queue === '' || others.length > 0 ? ['--queue: give one queue of the app, by its name'] : []),
    ...[messages, shaped].flatMap((part) => ('problems' in part ? part.problems : [])),
  ];
  if ('problems' in messages || 'problems' in shaped || problems.length > 0) throw new RefusedInput(problems);
  const elsewhere = messages.messages.findIndex((message) => message.queue !== undefined);
  if (elsewhere >= 0)
    throw new RefusedInput([
      `--messages: ${values.messages}: ${elsewhere}.queue: all go to the queue of --queue`,
    ]);
  const { message: shape, sharedTable = false } = shaped.workload ?? {};
  return { assemblyDirectory: app, queue, messages: messages.messages, shape, sharedTable };
}

function countProblems(given = '1'): string[] {
  const isCount = /^[1-9]\d*$/.test(given) && Number(given) <= MAX_MESSAGES;
  return isCount ? [] : [`--messages: must be a whole number from 1 to ${MAX_MESSAGES}, not '${given}'`];
}

/** The command does not ask for a confirmation, which a script could not give. */
function accountProblems(values: MeasureValues, { outgoing, destinations }: WholeShape): string[] {
  const { table, sagaTable, queue = [], yes } = values;
  if (table === undefined) {
    const needless = Object.entries({ 'saga-table': sagaTable, queue: values.queue, yes });
    return needless
      .filter(([, value]) => value !== undefined)
      .map(([name]) => `--${name} is for a run in an account: give --table too`);
  }
  const needed = outgoing === 0 ? 0 : destinations;
  const problems =
    yes === true
      ? []
      : [`--table: the run writes into '${table}', and removes that at the end: add --yes to allow it`];
  for (const one of queue) {
    if (!URL.canParse(one)) problems.push(`--queue: must be the URL of a queue, not '${one}'`);
    if (one.endsWith('.fifo')) problems.push(`--queue: '${one}' is a FIFO queue: give a standard one`);
  }
  if (queue.length !== needed)
    problems.push(`--queue: the messages go to ${needed} queues, and ${queue.length} are given`);
  if (new Set(queue).size < queue.length) problems.push('--queue: one is given twice');
  return problems;
}

function messagesOf(shape: WholeShape): SyntheticMessages | { problems: readonly string[] } {
  try {
    const messages = syntheticMessages(shape);
    if (!('problems' in messages)) return messages;
    const optionOf = (path: string) => workloadOptions.find(({ key }) => key === path)?.long ?? path;
    return { problems: messages.problems.map(({ path, problem }) => `${optionOf(path)}: ${problem}`) };
  } catch (error) {
    return { problems: [(error as Error).message] };
  }
}

function leftOut({ message: { lockAttempts = 1, conflictRate = 0 }, batchSize = 1 }: Workload): string[] {
  return [
    ...(lockAttempts > 1
      ? ['lock attempts: a run meets no other handler, and takes each lease at once']
      : []),
    ...(conflictRate > 0 ? ['conflicts: a run meets no other handler'] : []),
    ...(batchSize > 1 ? ['batches: each message has an invocation of its own'] : []),
  ];
}
