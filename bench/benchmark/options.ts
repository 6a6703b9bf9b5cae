import { anyString, type Command, file, flag, readCommandLine } from '../../test/support/command.ts';
import type { PartName } from './figures.ts';
import { type BenchRun, partNames } from './measure-parts.ts';

export interface BenchmarkOptions {
  readonly depth: BenchRun['depth'];
  readonly parts: readonly PartName[];
  /** File that the figures are written to. */
  readonly jsonFile: string | undefined;
  /** File with the figures of an earlier run, in place of a measurement. */
  readonly fromFile: string | undefined;
  readonly docs: boolean;
}

export const usage = `Measures what sagabox costs and how fast it is, beside its alternatives: the published layout with one item for each
outgoing message, Powertools (batch and idempotency), bare middy, and other ways to lock a saga.

Usage: npm run bench -- [options]

  --only LIST      parts to measure, separated by commas, default all: ${partNames.join(', ')}
  --short          fewer rounds and smaller tables, as CI does: for the bounds, not for figures to quote
  --json FILE      write the figures to FILE, after each part
  --docs           write benchmarks.json and benchmarks.md of docs/proof, and its charts: all parts in full
  --from FILE      read the figures from FILE instead of measuring
  --help           this text

Parts are measured one after another. Run nothing else on the machine meanwhile.

Exit code: 0 if all bounds are met; 1 if a ratio or count is worse than its recorded bound, if a part fails, or if the page
lacks the reason of a missed goal; 2 for unknown options, wrong values and unusable files; 3 if a figure is worse than a bound
that needs an idle machine, and other processes used the processors. A missed goal alone is no failure.
`;

export function readCommand(args: readonly string[]): Command<BenchmarkOptions> {
  const options = { only: anyString, short: flag, json: file, docs: flag, from: file };
  return readCommandLine(args, usage, options, ({ only, short, json, docs, from }) => {
    if (docs && (short || only !== undefined)) {
      throw new Error('--docs is for figures of all parts at full length: not with --short or --only');
    }
    if (from !== undefined && (short || only !== undefined || json !== undefined)) {
      throw new Error('--from measures nothing: not with --short, --only or --json');
    }
    const parts = only === undefined ? partNames : partsOf(only);
    return { depth: short ? 'short' : 'full', parts, jsonFile: json, fromFile: from, docs };
  });
}

/** In the order in which all are measured. */
function partsOf(list: string): PartName[] {
  const wanted = list.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !partNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`--only takes ${partNames.join(', ')}, not '${unknown}'`);
  return partNames.filter((name) => wanted.includes(name));
}
