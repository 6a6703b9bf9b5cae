/**
 * Entry of `npm start`: runs the order-fulfilment sample on this machine and proves that it is exactly once.
 */
import { drive } from '../examples/order-fulfilment/drive.ts';
import { type RunOptions, readCommand, usage } from '../examples/order-fulfilment/run-options.ts';
import { complaints, summaryTable } from '../examples/order-fulfilment/summary.ts';
import { exitCodes, runCommand, writeJson } from '../test/support/command.ts';

async function run(options: RunOptions, signal: AbortSignal): Promise<number> {
  const result = await drive(options, signal, (line) => console.log(line));
  const { figures, tally, settled, seconds } = result;
  console.log(`\n${summaryTable(result)}\n`);
  await writeJson(options.jsonFile, figures);
  const reasons = complaints(result);
  if (reasons.length === 0 && settled) {
    console.log(
      `OK orders exactly once: ${figures.orders}; ${figures.duplicatesDelivered} duplicates, ` +
        `${figures.crashesInjected} crashes, ${seconds.toFixed(0)} s`,
    );
    return exitCodes.ok;
  }
  for (const failure of new Set(tally.failures.slice(0, 20))) console.log(`  ${failure}`);
  console.log(`FAILED ${reasons.join('; ')}`);
  return exitCodes.failed;
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
