/** Entry of `npm run cost`: what a message costs in calls and capacity units, beside the published itemized layout. */
import { writeFile } from 'node:fs/promises';
import { ProgressLine } from '../examples/order-fulfilment/progress-line.ts';
import { compareOnEngines, costFigures } from './cost/compare.ts';
import { type CostOptions, readCommand, usage } from './cost/options.ts';
import { complaints, figuresTable, itemsTable, sequencesTable } from './cost/summary.ts';

const sources = `reported: by DynamoDB Local. computed: from the sizes of the items, before and after, by DynamoDB's rules, where DynamoDB Local
reports wrongly: on transactions, and on items that a batch of reads or a query does not find.`;
const exitCodes = { ok: 0, failed: 1, refused: 2, interrupted: 130 } as const;

async function run(options: CostOptions, signal: AbortSignal): Promise<number> {
  const progressLine = new ProgressLine(process.stderr);
  progressLine.show('Starting DynamoDB Local and the SQS emulator ...');
  const comparison = await compareOnEngines(options, signal, (contender, next) =>
    progressLine.show(`Measuring ${contender}, ${next} ...`),
  ).finally(() => progressLine.end());
  console.log(figuresTable(comparison));
  console.log(`\nThe calls of the most expensive one:\n\n${sequencesTable(comparison)}`);
  console.log(`\nThe items that its commit puts:\n\n${itemsTable(comparison)}`);
  console.log(`\n${sources}`);
  if (options.jsonFile !== undefined) {
    await writeFile(options.jsonFile, `${JSON.stringify(costFigures(comparison), null, 2)}\n`);
  }
  const found = complaints(comparison);
  console.log(found.length === 0 ? '\nOK' : `\nFAILED ${found.join('; ')}`);
  return found.length === 0 ? exitCodes.ok : exitCodes.failed;
}

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2));
  if ('help' in command) {
    console.log(command.help);
    return exitCodes.ok;
  }
  if ('refused' in command) {
    console.error(`${command.refused}\n\n${usage}`);
    return exitCodes.refused;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort());
  }
  try {
    return await run(command.run, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) {
      console.error('Interrupted: everything that was started has been stopped.');
      return exitCodes.interrupted;
    }
    console.error(`FAILED ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return exitCodes.failed;
  }
}

process.exitCode = await main();
