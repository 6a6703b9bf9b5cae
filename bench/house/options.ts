import { type Command, file, flag, readCommandLine } from '../../test/support/command.ts';

export interface HouseOptions {
  readonly jsonFile: string | undefined;
  /** Whether to run `npm test` for its time. */
  readonly test: boolean;
}

export const usage = `Measures the source tree as it is: lines and files, importers, repeated names, functions and files that a message passes,
the bundle and its load, docs, and the installed packages. CONTRIBUTING.md says how each figure is counted.

Usage: npm run house -- [options]

  --test           run npm test once, for its time
  --json FILE      write the figures to FILE, with the names behind each count and the lines of subfolders
  --help           this text

Progress and the output of npm test go to stderr. Times are worth quoting only if nothing else runs on the machine.

Exit code: 0 if everything was measured, 1 if a measurement failed, 2 for unknown options, wrong values and unusable files.
`;

export function readCommand(args: readonly string[]): Command<HouseOptions> {
  const options = { json: file, test: flag };
  return readCommandLine(args, usage, options, ({ json, test }) => ({ jsonFile: json, test }));
}
