/** Entry of `npm run soak`: the promise under faults and kills on real engines, round after round. */
import { conclude, print, runCommand, writeJson } from '../support/command.ts';
import { withEngines } from '../support/own-engines/engines.ts';
import { ProgressLine } from '../support/progress-line.ts';
import type { BlackHoleTimes } from './faults/black-holes.ts';
import { readCommand, type SoakOptions, usage } from './options.ts';
import { runSoak } from './run.ts';
import { roundLine, soakComplaints, summaryTable, timelines } from './summary.ts';

async function run(
  { jsonFile, blackHoleSeconds, ...options }: SoakOptions,
  signal: AbortSignal,
): Promise<number> {
  const progressLine = new ProgressLine(process.stderr);
  progressLine.show('Starting DynamoDB, the SQS emulator and the workers ...');
  const figures = await withEngines(
    async (engines, ending) =>
      await runSoak(engines, {
        ...options,
        blackHoleTimes: blackHoleTimes(blackHoleSeconds),
        signal: ending,
        onProgress: (text) => progressLine.show(text),
        onRound: (round, number) => {
          progressLine.end();
          print(roundLine(round, number));
        },
      }),
    signal,
  ).finally(() => progressLine.end());
  await writeJson(jsonFile, { node: process.version, options: { ...options, blackHoleSeconds }, ...figures });
  print(`\n${summaryTable(figures)}`);
  const found = soakComplaints(figures);
  const held = figures.growth === undefined ? 'OK, too few samples to judge growth' : 'OK';
  if (found.length === 0) return conclude(found, held);
  return conclude([...found, timelines(figures)], held, '\n');
}

/** Often enough for one or two in a round of the default size. */
const betweenBlackHolesMs = [15_000, 40_000] as const;

function blackHoleTimes(seconds: number): BlackHoleTimes | undefined {
  return seconds === 0 ? undefined : { durationMs: seconds * 1000, betweenMs: betweenBlackHolesMs };
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
