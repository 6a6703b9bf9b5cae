/** Entry of `npm run contention`: many messages for one saga, and what they cost in each concurrency mode. */
import { writeFile } from 'node:fs/promises';
import { exitCodes, runCommand } from './command.ts';
import { runContention } from './contention/compare.ts';
import { type ContentionOptions, readCommand, usage } from './contention/options.ts';
import { complaints, summaryTable } from './contention/summary.ts';

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

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
