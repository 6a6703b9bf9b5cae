/**
 * Entry of `npm run cost`: what a message costs in calls and capacity units, beside the published itemized
 * layout.
 */
import { assertWritable, conclude, runCommand, writeJson } from '../test/support/command.ts';
import { ProgressLine } from '../test/support/progress-line.ts';
import { compareOnEngines, costFigures } from './cost/compare.ts';
import { type CostOptions, readCommand, usage } from './cost/options.ts';
import { complaints, figuresTable, itemsTable, sequencesTable } from './cost/summary.ts';

async function run(options: CostOptions, signal: AbortSignal): Promise<number> {
  const { jsonFile } = options;
  await assertWritable(jsonFile);
  const progressLine = new ProgressLine(process.stderr);
  progressLine.show('Starting DynamoDB and the SQS emulator ...');
  const comparison = await compareOnEngines(options, signal, (contender, next) =>
    progressLine.show(`Measuring ${contender}, ${next} ...`),
  ).finally(() => progressLine.end());
  console.log(figuresTable(comparison));
  console.log(`\nThe calls of the most expensive one:\n\n${sequencesTable(comparison)}`);
  console.log(`\nThe items that its commit puts:\n\n${itemsTable(comparison)}`);
  console.log(`\nThe units are those that the engine, ${comparison.engine}, reports.`);
  await writeJson(jsonFile, costFigures(comparison));
  return conclude(complaints(comparison));
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
