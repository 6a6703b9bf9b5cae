/** What compression makes of an outbox record: bytes, time and write units, by codec and number of messages. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { exitCodes } from './command.ts';
import { codecs } from './compression/codecs.ts';
import { measure } from './compression/measure.ts';
import { sampleOperations } from './compression/sample.ts';
import { comparisonTable } from './compression/table.ts';

const usage = 'Usage: npm run compression -- [--json FILE]';
const messageCounts = [1, 2, 3, 10, 30, 100, 500];

async function main(): Promise<number> {
  const jsonFile = readJsonFile(process.argv.slice(2));
  if (jsonFile instanceof Error) {
    console.error(`${jsonFile.message}\n\n${usage}`);
    return exitCodes.refused;
  }
  const figures = messageCounts.flatMap((messages) => {
    const operations = sampleOperations(messages);
    return codecs.map((codec) => measure(codec, operations));
  });
  if (jsonFile !== undefined) await writeFile(jsonFile, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(comparisonTable(figures));
  return exitCodes.ok;
}

function readJsonFile(args: string[]): string | undefined | Error {
  try {
    return parseArgs({ args, options: { json: { type: 'string' } } }).values.json;
  } catch (error) {
    return error as Error;
  }
}

process.exitCode = await main();
