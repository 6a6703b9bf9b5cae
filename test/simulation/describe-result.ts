import type { CheckResult, Failure } from './check-histories.ts';
import type { Mutation } from './mutation.ts';
import type { SimulationOptions } from './options.ts';

export function describeFailure({ message, history, ...failure }: Failure): string {
  return [`FAILED ${message}`, '', ...history, '', 'Repeat it with', `  ${commandFor(failure)}`].join('\n');
}

export function commandFor({ seed, path, modes }: Pick<Failure, 'seed' | 'path' | 'modes'>): string {
  return `npm run simulate -- --seed ${seed} --mode ${modes} --path '${path}'`;
}

/** As it is written to a file. */
export function resultFigures(
  { seed, mode }: SimulationOptions,
  { runs, counts: coverage, failure }: CheckResult,
  seconds: number,
) {
  return {
    seed,
    mode,
    runs,
    seconds,
    runsPerSecond: Math.round(runs / seconds),
    coverage,
    failure: failure ?? null,
  };
}

/** As its row of the page of the simulation has it. */
export function mutationRow({ name, file, modes }: Mutation, seed: number, result: CheckResult): string {
  const found = result.failure?.invariant ?? 'not found';
  const cells = [
    name,
    `\`${file}\``,
    modes?.join(', ') ?? 'all',
    seed,
    found,
    result.runs.toLocaleString('en'),
  ];
  return `| ${cells.join(' | ')} |`;
}
