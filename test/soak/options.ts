import { type Command, file, oneOf, readCommandLine, whole } from '../support/command.ts';
import { type Mode, modes } from './subject/modes.ts';

export interface RoundOptions {
  readonly messages: number;
  readonly sagas: number;
  readonly workers: number;
  /** Of 100 messages, how many are delivered more than once on purpose. */
  readonly duplicatesPercent: number;
  readonly seed: number;
  /** How the handlers of one saga are kept apart; `mixed` gives each mode as many sagas. */
  readonly mode: Mode | 'mixed';
}

export interface SoakOptions extends RoundOptions {
  /** Rounds start until then, and until growth can be judged; 0 for one round. */
  readonly minutes: number;
  /** How long a service gives no answer, each time; 0 for never. */
  readonly blackHoleSeconds: number;
  readonly jsonFile: string | undefined;
}

export const defaults = {
  minutes: 0,
  messages: 5000,
  sagas: 100,
  workers: 4,
  duplicatesPercent: 20,
  seed: 1,
  mode: 'mixed',
  blackHoleSeconds: 20,
} as const;

const ranges = {
  minutes: [0, 7 * 24 * 60],
  messages: [1, 100_000],
  sagas: [1, 10_000],
  workers: [2, 32],
  duplicates: [0, 100],
  seed: [0, 2 ** 32 - 1],
  blackHoleSeconds: [0, 60],
} as const;

/** The state of a saga names all its messages, and has to stay within an item of DynamoDB. */
const messagesPerSaga = 2000;
const modeNames = ['mixed', ...modes] as const;

export const usage = `Lets worker processes handle messages on a DynamoDB engine and the SQS emulator, while calls are throttled, fail, lose their
answers or take effect too late, services give no answer at all for a while, and the workers are killed and replaced. Then checks,
message by message, that each was applied once, with everything that it sent, and that no invocation ran into its time limit.
Rounds are repeated, and the memory and handles of a worker that lives through them are watched.

Usage: npm run soak -- [options]

  --minutes N            begin rounds until N minutes are over, 0 to ${ranges.minutes[1]}, and as many more as it takes to judge
                         growth: two at least; default ${defaults.minutes}: one round, which tells nothing of growth
  --messages N           of a round, 1 to ${ranges.messages[1]}, default ${defaults.messages}; at most ${messagesPerSaga} for each saga
  --sagas N              that they are for, 1 to ${ranges.sagas[1]}, default ${defaults.sagas}
  --workers N            processes, ${ranges.workers[0]} to ${ranges.workers[1]}, default ${defaults.workers}; all but one of them are killed at times
  --duplicates PERCENT   of the messages that come twice or more, 0 to 100, default ${defaults.duplicatesPercent}
  --seed N               of the messages and the faults, 0 to ${ranges.seed[1]}, default ${defaults.seed}
  --mode MODE            ${modeNames.join(', ')} (default ${defaults.mode}: as many sagas of each)
  --black-holes SECONDS  for which SQS, DynamoDB or both give no answer to functions, now and then in a round, ${ranges.blackHoleSeconds[0]} to ${ranges.blackHoleSeconds[1]};
                         default ${defaults.blackHoleSeconds}; 0 for never
  --json FILE            write the figures to FILE
  --help                 this text

Exit code: 0 when all held, 1 when something did not, 2 for options that are not understood.
`;

/** Reads the command line; what it does not understand is refused with a reason. */
export function readCommand(args: readonly string[]): Command<SoakOptions> {
  const options = {
    minutes: whole(ranges.minutes, defaults.minutes),
    messages: whole(ranges.messages, defaults.messages),
    sagas: whole(ranges.sagas, defaults.sagas),
    workers: whole(ranges.workers, defaults.workers),
    duplicates: whole(ranges.duplicates, defaults.duplicatesPercent),
    seed: whole(ranges.seed, defaults.seed),
    mode: oneOf(modeNames, defaults.mode),
    'black-holes': whole(ranges.blackHoleSeconds, defaults.blackHoleSeconds),
    json: file,
  };
  return readCommandLine(args, usage, options, (values) => {
    const {
      duplicates: duplicatesPercent,
      'black-holes': blackHoleSeconds,
      json: jsonFile,
      ...others
    } = values;
    const { messages, sagas } = others;
    if (messages > sagas * messagesPerSaga) {
      throw new Error(
        `${messages} messages are too many for ${sagas} sagas: ${messagesPerSaga} each at most`,
      );
    }
    return { ...others, duplicatesPercent, blackHoleSeconds, jsonFile };
  });
}
