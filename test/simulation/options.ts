import { parseArgs } from 'node:util';
import type { Command } from '../../bench/command.ts';
import { wholeNumber } from '../../bench/whole-number.ts';
import { type Mode, modes } from './scenario.ts';

export interface SimulationOptions {
  readonly seed: number;
  readonly runs: number;
  readonly mode: Mode | 'all';
  /** Of a failure that is repeated. */
  readonly path: string | undefined;
  /** File that the result is written to. */
  readonly jsonFile: string | undefined;
}

const defaults = { runs: 10_000, mode: 'all' } as const;
const ranges = { seed: [-(2 ** 31), 2 ** 31 - 1], runs: [1, 1_000_000_000] } as const;
const modeNames: readonly string[] = [...modes, 'all'];

export const usage = `Simulates sagabox in memory: workers that take messages in any order, meet every kind of fault at every call, and die anywhere.
Checks after each step that no invariant is broken, and brings a history that breaks one to its smallest.

Usage: npm run simulate -- [options]

  --runs N         histories, 1 to ${ranges.runs[1]}, default ${defaults.runs}
  --seed N         the same seed makes the same histories; default another one each time, which is printed
  --mode MODE      ${modeNames.join(', ')}; default ${defaults.mode}
  --path PATH      repeat one history of the seed, as a failure tells it
  --json FILE      write the result to FILE
  --help           this text

Exit code: 0 when every invariant holds, 1 when one is broken, 2 for options that are not understood.
`;

/**
 * Reads the command line; what it does not understand is refused with a reason.
 *
 * @param newSeed when none is given
 */
export function readCommand(args: readonly string[], newSeed: () => number): Command<SimulationOptions> {
  try {
    const { values } = parseArgs({
      // A seed may be negative, which would be taken for an option.
      args: args.flatMap((arg, index) => (args[index - 1] === '--seed' ? [] : joined(arg, args[index + 1]))),
      options: {
        runs: { type: 'string', default: String(defaults.runs) },
        seed: { type: 'string' },
        mode: { type: 'string', default: defaults.mode },
        path: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: usage };
    if (values.json === '') return { refused: '--json takes the path of a file' };
    if (values.path !== undefined && !/^\d+(:\d+)*(\|.*)?$/.test(values.path)) {
      return { refused: `--path takes what a failure tells, not '${values.path}'` };
    }
    if (values.path !== undefined && values.seed === undefined) return { refused: '--path needs its --seed' };
    if (!modeNames.includes(values.mode)) {
      return { refused: `--mode takes one of ${modeNames.join(', ')}, not '${values.mode}'` };
    }
    const seed = values.seed === undefined ? newSeed() : wholeNumber('seed', values.seed, ranges.seed);
    const runs = wholeNumber('runs', values.runs, ranges.runs);
    const mode = values.mode as SimulationOptions['mode'];
    return { run: { seed, runs, mode, path: values.path, jsonFile: values.json } };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function joined(arg: string, next: string | undefined): string[] {
  return arg === '--seed' && next !== undefined ? [`--seed=${next}`] : [arg];
}
