import { type Command, file, flag, readCommandLine } from '../../../test/support/command.ts';
import { type DesignName, designNames } from '../designs.ts';

export interface ReportOptions {
  readonly names: readonly DesignName[];
  /** Whether docs/guide/cost-and-scale.md is written. */
  readonly report: boolean;
  readonly short: boolean;
  readonly jsonFile: string | undefined;
}

interface Given {
  readonly report: boolean;
  readonly short: boolean;
  readonly json: string | undefined;
}

export const usage = `Runs the designs for high load of examples/high-load on the local engines, before and after, and checks that both
did the same work. Prints conflicts, units, calls and time of each.

Usage: npm run examples -- [options] [NAME...]

  NAME             ${designNames.slice(0, 4).join(', ')},
                   ${designNames.slice(4, 9).join(', ')},
                   ${designNames.slice(9).join(', ')} (default: all)
  --report         write the tables of docs/guide/cost-and-scale.md, from a full run of all designs
  --json FILE      write the figures of the run to FILE
  --short          one round of few messages: shows that the designs work, and no times
  --help           this text

A full run of all designs takes up to 10 minutes.

Exit code: 0 if each design did its work, 1 if one did not, or does not gain what it is for in a full run; 2 for
unknown options, designs and wrong values; 3 if one gains no time and the machine was too busy to judge it.
`;

export function readCommand(args: readonly string[]): Command<ReportOptions> {
  const options = { report: flag, short: flag, json: file };
  const toRun = ({ report, short, json }: Given, given: readonly string[]): ReportOptions => {
    const names = given.map(designName);
    if (report && (short || names.length > 0))
      throw new Error('--report takes a full run of all designs: leave out --short and names');
    return { names: names.length === 0 ? designNames : names, report, short, jsonFile: json };
  };
  return readCommandLine(args, usage, options, toRun, 'names');
}

function designName(name: string): DesignName {
  const found = designNames.find((known) => known === name);
  if (found !== undefined) return found;
  throw new Error(`There is no design '${name}': ${designNames.join(', ')}`);
}
