/** Entry of `npm run cost`: what a message costs in calls and capacity units, beside the published itemized layout. */
import { writeFile } from 'node:fs/promises';
import { ProgressLine } from '../examples/order-fulfilment/progress-line.ts';
import { assertWritable, UnusableFile } from './benchmark/files.ts';
import { exitCodes, runCommand } from './command.ts';
import { compareOnEngines, costFigures } from './cost/compare.ts';
import { type CostOptions, readCommand, usage } from './cost/options.ts';
import { complaints, figuresTable, itemsTable, sequencesTable } from './cost/summary.ts';

async function run(options: CostOptions, signal: AbortSignal): Promise<number> {
  const { jsonFile } = options;
  try {
    if (jsonFile !== undefined) await assertWritable(jsonFile);
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    console.error(error.message);
    return exitCodes.refused;
  }
  const progressLine = new ProgressLine(process.stderr);
  progressLine.show('Starting DynamoDB and the SQS emulator ...');
  const comparison = await compareOnEngines(options, signal, (contender, next) =>
    progressLine.show(`Measuring ${contender}, ${next} ...`),
  ).finally(() => progressLine.end());
  console.log(figuresTable(comparison));
  console.log(`\nThe calls of the most expensive one:\n\n${sequencesTable(comparison)}`);
  console.log(`\nThe items that its commit puts:\n\n${itemsTable(comparison)}`);
  console.log(`\nThe units are those that the engine, ${comparison.engine}, reports.`);
  if (jsonFile !== undefined) {
    await writeFile(jsonFile, `${JSON.stringify(costFigures(comparison), null, 2)}\n`);
  }
  const found = complaints(comparison);
  console.log(found.length === 0 ? '\nOK' : `\nFAILED ${found.join('; ')}`);
  return found.length === 0 ? exitCodes.ok : exitCodes.failed;
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
