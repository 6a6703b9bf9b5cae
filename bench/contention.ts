/** Entry of `npm run contention`: many messages for one saga, and what they cost in each concurrency mode. */
import { writeFile } from 'node:fs/promises';
import { runContention } from './contention/compare.ts';
import { type ContentionOptions, readCommand, usage } from './contention/options.ts';
import { complaints, summaryTable } from './contention/summary.ts';

const exitCodes = { ok: 0, failed: 1, refused: 2, interrupted: 130 } as const;

async function run(options: ContentionOptions, signal: AbortSignal): Promise<number> {
  const figures = await runContention(options, signal);
  if (options.jsonFile !== undefined) {
    await writeFile(options.jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  }
  console.log(summaryTable(figures));
  const found = complaints(figures);
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
