/** Entry of `npm run house`: figures of the source tree as it is. */
import { assertWritable, exitCodes, print, runCommand, writeJson } from '../test/support/command.ts';
import { ProgressLine } from '../test/support/progress-line.ts';
import { measureHouse } from './house/measure.ts';
import { type HouseOptions, readCommand, usage } from './house/options.ts';
import { foldersTable, houseTable } from './house/table.ts';

async function run(options: HouseOptions, signal: AbortSignal): Promise<number> {
  await assertWritable(options.jsonFile);
  const progressLine = new ProgressLine(process.stderr);
  const house = await measureHouse(options, signal, (line) => progressLine.show(line)).finally(() =>
    progressLine.end(),
  );
  print(houseTable(house));
  print(`\n${foldersTable(house.folders)}`);
  await writeJson(options.jsonFile, house);
  return exitCodes.ok;
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
