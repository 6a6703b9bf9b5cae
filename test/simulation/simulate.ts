/** Entry of `npm run simulate`: many seeded histories, until one breaks an invariant. */
import { randomInt } from 'node:crypto';
import { exitCodes, runCommand, writeJson } from '../support/command.ts';
import { alignedRows } from '../support/listed.ts';
import { changeoverMutations } from './changeover-mutations.ts';
import { checkHistories } from './check-histories.ts';
import { describeFailure, mutationRow, resultFigures } from './describe-result.ts';
import { embeddedMutations } from './embedded-mutations.ts';
import { mutations as mutationsOfRecords } from './mutations.ts';
import { readCommand, type SimulationOptions, usage } from './options.ts';
import { runMutants } from './run-mutants.ts';
import { modes } from './scenario.ts';

const mutations = [...mutationsOfRecords, ...embeddedMutations, ...changeoverMutations];

const PROGRESS_INTERVAL_MS = 1_000;

async function run(options: SimulationOptions, signal: AbortSignal): Promise<number> {
  const { seed, runs, mode, outbox, path, jsonFile } = options;
  const begunAtMs = performance.now();
  process.stderr.write(`Seed ${seed}, ${path === undefined ? `${runs} runs` : 'one run'}\n`);
  let toldAtMs = begunAtMs;
  const result = await checkHistories({
    seed,
    runs,
    path,
    modes: mode === 'all' ? modes : [mode],
    outbox,
    signal,
    onProgress: (done) => {
      if (performance.now() - toldAtMs < PROGRESS_INTERVAL_MS) return;
      toldAtMs = performance.now();
      process.stderr.write(`${done} of ${runs} runs, ${Math.round((toldAtMs - begunAtMs) / 1000)} s\n`);
    },
  });
  const seconds = (performance.now() - begunAtMs) / 1000;
  const rows = Object.entries(result.counts).sort(([one], [other]) => one.localeCompare(other));
  const table = alignedRows(
    rows.map(([name, count]) => [`  ${name}`, count.toLocaleString('en')]),
    13,
  );
  process.stdout.write(`${table}\n\n`);
  await writeJson(jsonFile, resultFigures(options, result, seconds));
  process.stdout.write(`${result.runs} runs of seed ${seed} in ${seconds.toFixed(1)} s\n`);
  if (result.failure) {
    process.stdout.write(`${describeFailure(result.failure)}\n`);
    return exitCodes.failed;
  }
  if (signal.aborted) return exitCodes.interrupted;
  process.stdout.write('OK\n');
  return exitCodes.ok;
}

/** Prints the rows of the page, and what is wrong with them. */
async function runMutations({ seed, runs }: SimulationOptions, signal: AbortSignal): Promise<number> {
  process.stderr.write(`Seed ${seed}, up to ${runs} runs for each of ${mutations.length} mutations\n`);
  const results = await runMutants({ mutations, seed, maxRuns: runs, signal });
  const problems: string[] = [];
  for (const mutation of mutations) {
    const { name, breaks } = mutation;
    const { mutated, unmutated } = results.get(name) ?? {};
    if (mutated === undefined) continue;
    process.stdout.write(`${mutationRow(mutation, seed, mutated)}\n`);
    if (unmutated?.failure) problems.push(describeFailure(unmutated.failure));
    const { failure } = mutated;
    if (failure === undefined) problems.push(`FAILED not found: ${name}`);
    else if (!breaks.some((invariant) => invariant === failure.invariant))
      problems.push(`FAILED found otherwise: ${name}: ${failure.message}`);
  }
  process.stdout.write(`${problems.length === 0 ? 'OK' : problems.join('\n')}\n`);
  return problems.length === 0 ? exitCodes.ok : exitCodes.failed;
}

const command = readCommand(process.argv.slice(2), () => randomInt(2 ** 31));
process.exitCode = await runCommand(command, usage, (options, signal) =>
  options.mutations ? runMutations(options, signal) : run(options, signal),
);
