import { Argument, Option } from 'commander';
import { RefusedInput } from '../command.ts';
import { type AppMessage, readAppMessages } from '../messages/read-messages.ts';
import { port, stringOption, wholeNumber } from '../option-values.ts';

export interface LocalValues {
  readonly directory: string;
  readonly port?: number;
  readonly send?: string;
  readonly queue?: string;
  readonly watch?: boolean;
  readonly synth?: string;
  readonly timeScale?: number;
  readonly json?: boolean;
}

/** A message with the queue that it goes to. */
export type AddressedMessage = AppMessage & Required<Pick<AppMessage, 'queue'>>;

export const localArguments = [new Argument('<directory>', "output folder of 'cdk synth', such as cdk.out")];

export const localOptions = [
  stringOption(
    '--send <file>',
    'messages to send at the start, as YAML or JSON: a list of { type, body, queue?, id?, headers? }',
  ),
  stringOption(
    '--queue <queue>',
    'queue of the messages that name none: its name, its logical id, or the endpoint that it feeds',
  ),
  new Option('--watch', 'synthesize again when a source changes, and replace the functions that changed'),
  stringOption(
    '--synth <command>',
    "command that synthesizes into the directory, for --watch (default: 'npx cdk synth' with --output)",
  ),
  new Option('--port <port>', 'port of the address of all services (default: a free one)').argParser(port),
  new Option(
    '--time-scale <n>',
    'seconds of queues, schedules and rates that pass in a real second (default: 1)',
  ).argParser(wholeNumber),
  new Option('--json', 'write each event as a JSON object on a line of its own'),
];

/** @throws RefusedInput with all problems */
export async function readMessages({
  send,
  queue,
  watch,
  synth,
}: LocalValues): Promise<readonly AddressedMessage[]> {
  const unused = [
    ...(queue !== undefined && send === undefined ? ['--queue: it has no effect without --send'] : []),
    ...(synth !== undefined && !watch ? ['--synth: it has no effect without --watch'] : []),
  ];
  if (unused.length > 0) throw new RefusedInput(unused);
  if (send === undefined) return [];
  const read = await readAppMessages('--send', send);
  if ('problems' in read) throw new RefusedInput(read.problems);
  const addressed = read.messages.map((message) => ({ queue, ...message }));
  const problems = addressed.flatMap((message, index) =>
    message.queue === undefined
      ? [`--send: ${send}: ${index}.queue: is missing, and --queue names none`]
      : [],
  );
  if (problems.length > 0) throw new RefusedInput(problems);
  return addressed as readonly AddressedMessage[];
}
