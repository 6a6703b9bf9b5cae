import { type Command, file, readCommandLine, whole } from '../../test/support/command.ts';
import type { Sample } from './run.ts';

export interface CostOptions extends Sample {
  /** File that the figures are written to. */
  readonly jsonFile: string | undefined;
}

const defaults = { seed: 1, messages: 20, batches: 5 } as const;
const ranges = { seed: [0, 2 ** 32 - 1], messages: [1, 1000], batches: [1, 100] } as const;

export const usage = `Measures what a message costs: its calls to DynamoDB and SQS, and the read and write units that they take. Beside it the
published layout with one item for each outgoing message, whose sequence of calls is really made on the same engines.

N is the number of messages that a handler sends, of 500 bytes each as they are stored; its saga is an item of 1,000 bytes,
there before, and updated. incompressible is the same with bodies of 500 bytes that have no order in them. batch10 is one invocation with ten messages of ten sagas, whose handlers send one message each.
discard is a message that starts no saga and finds none.
The figures are those of the most expensive one of several.

Usage: npm run cost -- [options]

  --messages N     messages measured for each N, and for discard, 1 to ${ranges.messages[1]}, default ${defaults.messages}
  --batches N      invocations measured for batch10, 1 to ${ranges.batches[1]}, default ${defaults.batches}
  --seed N         of the order data, 0 to ${ranges.seed[1]}, default ${defaults.seed}
  --json FILE      write the figures to FILE
  --help           this text

Exit code: 0 when all bounds are met, 1 when one is not, 2 for options that are not understood and for files of no use.
`;

/** Reads the command line; what it does not understand is refused with a reason. */
export function readCommand(args: readonly string[]): Command<CostOptions> {
  const options = {
    seed: whole(ranges.seed, defaults.seed),
    messages: whole(ranges.messages, defaults.messages),
    batches: whole(ranges.batches, defaults.batches),
    json: file,
  };
  return readCommandLine(args, usage, options, ({ json, ...sample }) => ({ ...sample, jsonFile: json }));
}
