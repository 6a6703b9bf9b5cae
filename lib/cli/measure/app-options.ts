import type { MessageShape } from '../../capacity/index.ts';
import { type OptionValues, textOf } from '../command-arguments.ts';
import { readWorkload, workloadOptions } from '../plan/workload-options.ts';
import { type AppMessage, readAppMessages } from './app-messages.ts';

export interface AppMeasureOptions {
  readonly assemblyDirectory: string;
  /** By its name, or its logical id. */
  readonly queue: string;
  readonly messages: readonly AppMessage[];
  /** What the messages are like, to be set beside what they take; nothing when no option says it. */
  readonly shape: MessageShape | undefined;
  readonly sharedTable: boolean;
  readonly json: boolean;
}

const ofOtherRuns = ['table', 'saga-table', 'yes', 'dynamodb-endpoint'];

/** @returns every problem at once */
export async function readAppOptions(
  values: OptionValues,
): Promise<{ app: AppMeasureOptions } | { problems: readonly string[] }> {
  const problems = ofOtherRuns
    .filter((name) => values[name] !== undefined)
    .map((name) => `--${name} is for the synthetic saga, and --app runs one of yours: give one of them`);
  const queues = Array.isArray(values.queue) ? (values.queue as readonly string[]) : [];
  const [queue = ''] = queues;
  if (queues.length !== 1) problems.push(`--queue: the messages go to one queue of the app, by its name`);
  const file = textOf(values, 'messages');
  const read = file === undefined ? undefined : await readAppMessages(file);
  if (read === undefined) problems.push('--messages: give the file with the messages that are sent');
  if (read && 'problems' in read) problems.push(...read.problems);
  const isShaped = Object.keys(workloadOptions).some((name) => values[name] !== undefined);
  const described = isShaped ? await readWorkload(values, { messagesPerSecond: 1 }) : undefined;
  if (described && 'problems' in described) problems.push(...described.problems);
  const workload = described && 'workload' in described ? described.workload : undefined;
  if (problems.length > 0 || read === undefined || 'problems' in read) return { problems };
  return {
    app: {
      assemblyDirectory: textOf(values, 'app') ?? '',
      queue,
      messages: read.messages,
      shape: workload?.message,
      sharedTable: workload?.sharedTable ?? false,
      json: values.json === true,
    },
  };
}
