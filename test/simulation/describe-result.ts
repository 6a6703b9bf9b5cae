import type { CheckResult, Failure } from './check-histories.ts';
import type { Mutation } from './mutation.ts';
import type { SimulationOptions } from './options.ts';

export function describeFailure({ message, history, ...failure }: Failure): string {
  return [`FAILED ${message}`, '', ...history, '', 'Repeat it with', `  ${commandFor(failure)}`].join('\n');
}

export function commandFor({
  seed,
  path,
  modes,
  outbox,
}: Pick<Failure, 'seed' | 'path' | 'modes' | 'outbox'>): string {
  const form = outbox === 'records' ? '' : ` --outbox ${outbox}`;
  return `npm run simulate -- --seed ${seed} --mode ${modes}${form} --path '${path}'`;
}

/** As it is written to a file. */
export function resultFigures(
  { seed, mode, outbox }: SimulationOptions,
  { runs, counts: coverage, failure }: CheckResult,
  seconds: number,
) {
  return {
    seed,
    mode,
    outbox,
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
