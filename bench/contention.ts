/** Entry of `npm run contention`: many messages for one saga, and what they cost in each concurrency mode. */
import { conclude, runCommand, writeJson } from '../test/support/command.ts';
import { runContention } from './contention/compare.ts';
import { type ContentionOptions, readCommand, usage } from './contention/options.ts';
import { complaints, summaryTable } from './contention/summary.ts';

async function run(options: ContentionOptions, signal: AbortSignal): Promise<number> {
  const figures = await runContention(options, signal);
  await writeJson(options.jsonFile, figures);
  console.log(summaryTable(figures));
  return conclude(complaints(figures));
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
