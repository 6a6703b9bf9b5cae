import { type Command, file, readCommandLine, whole } from '../../test/support/command.ts';
import type { Sample } from './run.ts';

export interface CostOptions extends Sample {
  readonly jsonFile: string | undefined;
}

const defaults = { seed: 1, messages: 20, batches: 5 } as const;
const ranges = { seed: [0, 2 ** 32 - 1], messages: [1, 1000], batches: [1, 100] } as const;

export const usage = `Measures what a message costs: its calls to DynamoDB and SQS, and the read and write units that they take. Beside it, the
published layout with one item for each outgoing message makes its sequence of calls on the same engines.

N is the number of messages that a handler sends, of 500 bytes each as they are stored; its saga is an existing item of 1,000
bytes, which is updated. incompressible is the same with random bodies of 500 bytes. batch10 is one invocation with ten messages
of ten sagas, whose handlers send one message each. discard is a message that starts no saga and finds none.
The figures are those of the most expensive one of several.

Usage: npm run cost -- [options]

  --messages N     messages measured for each N, and for discard, 1 to ${ranges.messages[1]}, default ${defaults.messages}
  --batches N      invocations measured for batch10, 1 to ${ranges.batches[1]}, default ${defaults.batches}
  --seed N         of the order data, 0 to ${ranges.seed[1]}, default ${defaults.seed}
  --json FILE      write the figures to FILE
  --help           this text

Exit code: 0 if all bounds are met, 1 if one is not, 2 for unknown options, wrong values and unusable files.
`;

export function readCommand(args: readonly string[]): Command<CostOptions> {
  const options = {
    seed: whole(ranges.seed, defaults.seed),
    messages: whole(ranges.messages, defaults.messages),
    batches: whole(ranges.batches, defaults.batches),
    json: file,
  };
  return readCommandLine(args, usage, options, ({ json, ...sample }) => ({ ...sample, jsonFile: json }));
}
