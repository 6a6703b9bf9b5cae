/** Entry of `npm run cost`: what a message costs in calls and capacity units, beside the itemized layout. */
import { assertWritable, conclude, runCommand, writeJson } from '../test/support/command.ts';
import { ProgressLine } from '../test/support/progress-line.ts';
import { compareOnEngines } from './cost/compare.ts';
import { type CostOptions, readCommand, usage } from './cost/options.ts';
import { complaints, costFigures, figuresTable, itemsTable, sequencesTable } from './cost/summary.ts';

async function run(options: CostOptions, signal: AbortSignal): Promise<number> {
  await assertWritable(options.jsonFile);
  const progressLine = new ProgressLine(process.stderr);
  const progress = (line: string) => progressLine.show(line);
  progress('Starting DynamoDB and the SQS emulator ...');
  const { comparison, engine } = await compareOnEngines(options, signal, progress).finally(() =>
    progressLine.end(),
  );
  console.log(figuresTable(comparison));
  console.log(`\nThe calls of the most expensive one:\n\n${sequencesTable(comparison)}`);
  console.log(`\nThe items that its commit puts:\n\n${itemsTable(comparison)}`);
  console.log(`\nThe engine, ${engine}, reports the units.`);
  await writeJson(options.jsonFile, costFigures(comparison));
  return conclude(complaints(comparison));
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
