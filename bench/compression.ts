/**
 * What compression makes of an outbox record: bytes, time and write units, by codec and number of messages.
 */
import { exitCodes, file, print, readCommandLine, runCommand, writeJson } from '../test/support/command.ts';
import { codecs } from './compression/codecs.ts';
import { measure } from './compression/measure.ts';
import { sampleOperations } from './compression/sample.ts';
import { comparisonTable } from './compression/table.ts';

const usage = 'Usage: npm run compression -- [--json FILE]';
const messageCounts = [1, 2, 3, 10, 30, 100, 500];

async function run(jsonFile: string | undefined): Promise<number> {
  const figures = messageCounts.flatMap((messages) => {
    const operations = sampleOperations(messages);
    return codecs.map((codec) => measure(codec, operations));
  });
  await writeJson(jsonFile, figures);
  print(comparisonTable(figures));
  return exitCodes.ok;
}

const command = readCommandLine(process.argv.slice(2), usage, { json: file }, ({ json }) => json);
process.exitCode = await runCommand(command, usage, run);
