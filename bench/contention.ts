/** Entry of `npm run contention`: many messages of one saga, and what they cost in each concurrency mode. */
import { conclude, runCommand, writeJson } from '../test/support/command.ts';
import { withEngines } from '../test/support/own-engines/engines.ts';
import { contentionOn } from './contention/measure.ts';
import { type ContentionOptions, readCommand, usage } from './contention/options.ts';
import { complaints } from './contention/summary.ts';
import { contentionTable } from './report/sections.ts';
import { plainTable } from './report/tables.ts';

async function run(options: ContentionOptions, interrupt: AbortSignal): Promise<number> {
  const { mode, jsonFile, ...load } = options;
  const names = [mode, mode === 'pessimistic' ? 'blindSpin' : 'retryWithoutJitter'] as const;
  const depth = { ...load, warmUpMessages: Math.min(load.messages, 40), rounds: 1 };
  return await withEngines(async (engines, signal) => {
    const contention = await contentionOn(engines, names, depth, { signal, progress: () => {} });
    await writeJson(jsonFile, { engine: engines.dynamoDBEngine, contention });
    console.log(plainTable(contentionTable(contention)));
    console.log(
      `\nThe engine, ${engines.dynamoDBEngine}, reports the units, except those of refused writes.`,
    );
    return conclude(complaints(mode, contention));
  }, interrupt);
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
