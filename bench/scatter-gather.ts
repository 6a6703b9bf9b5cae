/**
 * Entry of `npm run scatter-gather`: what gathering takes by the width of the tree, and that it is exact under
 * faults.
 */
import { conclude, print, runCommand } from '../test/support/command.ts';
import { complaintsOf } from '../test/support/gathering/complaints.ts';
import { runGathering } from '../test/support/gathering/load.ts';
import { killComplaints } from '../test/support/load-kill-verify/kills.ts';
import { type Engines, withEngines } from '../test/support/own-engines/engines.ts';
import { plainTable } from './report/tables.ts';
import { measureWidths, widthTable, writeGuide } from './scatter-gather/by-width.ts';
import { readCommand, type ScatterGatherOptions, usage } from './scatter-gather/options.ts';

async function run(options: ScatterGatherOptions, interrupt: AbortSignal): Promise<number> {
  const hasFaults = options.kills + options.duplicatePercent > 0;
  return await withEngines(async (engines, signal) => {
    const complaints = await (hasFaults ? underFaults : byWidth)(engines, options, signal);
    return conclude(complaints);
  }, interrupt);
}

async function underFaults(
  engines: Engines,
  { duplicatePercent, ...options }: ScatterGatherOptions,
  interrupt: AbortSignal,
): Promise<string[]> {
  const load = { ...options, duplicates: duplicatePercent / 100, coalesce: true, atOnce: false };
  const outcome = await runGathering(engines, { ...load, visibilityTimeoutSeconds: 5 }, { interrupt });
  const { killed, sentTwice, results, seconds } = outcome;
  const { requests, width, kills } = options;
  print(`${requests} requests, width ${width}, ${seconds.toFixed(1)} s.`);
  print(`${killed} functions were killed, and ${sentTwice} calls that send messages were made twice.`);
  print(`Results: ${JSON.stringify(results)}`);
  return [...complaintsOf(requests, outcome), ...killComplaints(killed, kills)];
}

async function byWidth(
  engines: Engines,
  options: ScatterGatherOptions,
  interrupt: AbortSignal,
): Promise<string[]> {
  const figures = await measureWidths(engines, options, interrupt);
  const table = widthTable(figures);
  print(plainTable(table));
  if (options.docs) await writeGuide(table);
  return figures.flatMap(({ width, outcome }) =>
    complaintsOf(options.requests, outcome).map((complaint) => `width ${width}: ${complaint}`),
  );
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
