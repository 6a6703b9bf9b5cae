import { anyString, type Command, file, flag, oneOf, readCommandLine, whole } from '../support/command.ts';
import { type OutboxPlan, planNames } from './outbox-plans.ts';
import { type Mode, modes } from './scenario.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly runs: number;
  readonly mode: Mode | 'all';
  readonly outbox: OutboxPlan;
  /** Whether each mutation is looked for, in place of what is wrong with the sources as they are. */
  readonly mutations: boolean;
  /** Of a failure that is repeated. */
  readonly path: string | undefined;
  readonly jsonFile: string | undefined;
}

const defaults = { runs: 10_000, mode: 'all', outbox: 'records' } as const;
const ranges = { seed: [-(2 ** 31), 2 ** 31 - 1], runs: [1, 1_000_000_000] } as const;
const modeNames = [...modes, 'all'] as const;

export const usage = `Simulates sagabox in memory: workers that take messages in any order, meet every kind of fault at every call, and die anywhere.
Checks after each step that no invariant is broken, and brings a history that breaks one to its smallest.

Usage: npm run simulate -- [options]

  --runs N         histories, 1 to ${ranges.runs[1]}, default ${defaults.runs}
  --seed N         the same seed makes the same histories; default another one each time, which is printed
  --mode MODE      ${modeNames.join(', ')}; default ${defaults.mode}
  --outbox PLAN    that of the saga: ${planNames.join(', ')}; default ${defaults.outbox}
  --mutations      look for each known fault in up to N histories, and print as what it is found
  --path PATH      repeat one history of the seed, as a failure tells it
  --json FILE      write the result to FILE
  --help           this text

Exit code: 0 when every invariant holds, or every fault is found, 1 when not, 2 for options that are not understood.
`;

/**
 * Reads the command line; what it does not understand is refused with a reason.
 *
 * @param newSeed when none is given
 */
export function readCommand(args: readonly string[], newSeed: () => number): Command<SimulationOptions> {
  // A seed may be negative, which would be taken for an option.
  const joinedArgs = args.flatMap((arg, index) =>
    args[index - 1] === '--seed' ? [] : joined(arg, args[index + 1]),
  );
  const options = {
    runs: whole(ranges.runs, defaults.runs),
    seed: whole(ranges.seed, undefined),
    mode: oneOf(modeNames, defaults.mode),
    outbox: oneOf(planNames, defaults.outbox),
    mutations: flag,
    path: anyString,
    json: file,
  };
  return readCommandLine(joinedArgs, usage, options, ({ seed, path, json, ...others }) => {
    if (path !== undefined && !/^\d+(:\d+)*(\|.*)?$/.test(path)) {
      throw new Error(`--path takes what a failure tells, not '${path}'`);
    }
    if (path !== undefined && seed === undefined) throw new Error('--path needs its --seed');
    if (others.mutations && (path !== undefined || json !== undefined || others.mode !== defaults.mode)) {
      throw new Error('--mutations takes no --path, --json and --mode');
    }
    return { ...others, seed: seed ?? newSeed(), path, jsonFile: json };
  });
}

function joined(arg: string, next: string | undefined): string[] {
  return arg === '--seed' && next !== undefined ? [`--seed=${next}`] : [arg];
}
