import { type Command, file, readCommandLine, whole } from '../../test/support/command.ts';

export interface BookingOptions {
  readonly trips: number;
  readonly kills: number;
  readonly seed: number;
  readonly timeoutSeconds: number;
  readonly jsonFile: string | undefined;
}

const defaults = { trips: 100, kills: 20, seed: 1, timeout: 5 } as const;
const maximum = { trips: 5000, kills: 1000, timeout: 60 } as const;

export const usage = `Books trips of the example examples/booking on a DynamoDB engine and an SQS emulator: each of the three services may
decline, not answer, fail, or decline to cancel at first. Some functions are killed: a killed one does no further call, before
or after one that the seed chooses, and its messages come back after the visibility timeout. Cancellations that failed are
resumed by the code of sagabox redrive, from the error queue of the trips.

Checks that each trip ended once, with all of it booked or nothing, that each booking was sent once and each cancellation once
for each attempt, in reverse, and that no saga, no notice and no dead message is left.

Usage: npm run booking -- [options]

  --trips N     1 to ${maximum.trips}, default ${defaults.trips}
  --kills N     functions that are killed, 0 to ${maximum.kills}, default ${defaults.kills}
  --timeout N   seconds in place of the minutes of the example, and until messages of a killed function come back:
                1 to ${maximum.timeout}, default ${defaults.timeout}
  --seed N      of what services do and which functions are killed, default ${defaults.seed}
  --json FILE   write the figures of the run to FILE
  --help        this text

Exit code: 0 if all checks hold, 1 if one does not, 2 for unknown options and wrong values.
`;

export function readCommand(args: readonly string[]): Command<BookingOptions> {
  const options = {
    trips: whole([1, maximum.trips], defaults.trips),
    kills: whole([0, maximum.kills], defaults.kills),
    timeout: whole([1, maximum.timeout], defaults.timeout),
    seed: whole([0, 2 ** 32 - 1], defaults.seed),
    json: file,
  };
  return readCommandLine(args, usage, options, ({ json, timeout, ...load }) => ({
    ...load,
    timeoutSeconds: timeout,
    jsonFile: json,
  }));
}
