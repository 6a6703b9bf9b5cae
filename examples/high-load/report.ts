/** Entry of `npm run examples`: the designs for high load, before and after. */
import { readFile, writeFile } from 'node:fs/promises';
import { concludeMeasured } from '../../bench/control/conclude-measured.ts';
import { MachineControl } from '../../bench/control/machine-control.ts';
import { plainTable } from '../../bench/report/tables.ts';
import { assertWritable, print, runCommand, writeJson } from '../../test/support/command.ts';
import { withEngines } from '../../test/support/own-engines/engines.ts';
import { ProgressLine } from '../../test/support/progress-line.ts';
import type { DesignName } from './designs.ts';
import { type DesignFigures, measureDesign } from './measure/measure.ts';
import type { ReportFigures } from './report/figures.ts';
import { missingGains } from './report/gains.ts';
import { type ReportOptions, readCommand, usage } from './report/options.ts';
import { guidePage, withTables } from './report/page.ts';
import { designTable } from './report/table.ts';

async function run(options: ReportOptions, interrupt: AbortSignal): Promise<number> {
  const { names, report, short, jsonFile } = options;
  await assertWritable(jsonFile);
  const control = new MachineControl();
  const progressLine = new ProgressLine(process.stderr);
  return await withEngines(async (engines, signal) => {
    const measured: [DesignName, DesignFigures][] = [];
    for (const [index, name] of names.entries()) {
      const progress = (line: string) => progressLine.show(`${index + 1} of ${names.length}: ${line}`);
      const depth = short ? 'short' : 'full';
      const measure = () => measureDesign(engines, name, { depth, signal, progress });
      measured.push([name, await control.during(name, measure)]);
    }
    progressLine.end();
    const figures: ReportFigures = {
      date: new Date().toISOString().slice(0, 10),
      engine: engines.dynamoDBEngine,
      designs: Object.fromEntries(measured),
    };
    await writeJson(jsonFile, figures);
    print(plainTable(designTable(figures.designs)));
    print(
      `\nUnits, calls and time are those of one message, with ${figures.engine} and service times added.`,
    );
    if (report) await writeFile(guidePage, withTables(await readFile(guidePage, 'utf8'), figures));
    return concludeMeasured(short ? [] : missingGains(figures.designs), control);
  }, interrupt).finally(() => progressLine.end());
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
