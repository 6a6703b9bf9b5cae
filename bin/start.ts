/** Entry of `npm start`: runs the order-fulfilment sample on this machine and proves that it is exactly once. */
import { writeFile } from 'node:fs/promises';
import { drive } from '../examples/order-fulfilment/drive.ts';
import { type RunOptions, readCommand, usage } from '../examples/order-fulfilment/run-options.ts';
import { complaints, summaryTable } from '../examples/order-fulfilment/summary.ts';

const exitCodes = { ok: 0, failed: 1, refused: 2, interrupted: 130 } as const;

async function run(options: RunOptions, signal: AbortSignal): Promise<number> {
  const result = await drive(options, signal, (line) => console.log(line));
  const { figures, tally, settled, seconds } = result;
  console.log(`\n${summaryTable(result)}\n`);
  if (options.jsonFile !== undefined) {
    await writeFile(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  }
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort());
  try {
    return await run(command.run, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) {
      console.error('Interrupted: everything that was started has been stopped.');
      return exitCodes.interrupted;
    }
    console.log(`FAILED ${error instanceof Error ? error.message : String(error)}`);
    return exitCodes.failed;
  }
}

process.exitCode = await main();
