/** Entry of `npm run bench`: what sagabox costs and how fast it is, beside its alternatives. */
import { assertWritable, RefusedOption, runCommand, writeJson } from '../test/support/command.ts';
import { ProgressLine } from '../test/support/progress-line.ts';
import { conditions } from './benchmark/conditions.ts';
import { measureParts } from './benchmark/measure-parts.ts';
import { type BenchmarkOptions, readCommand, usage } from './benchmark/options.ts';
import { type BenchmarkRecord, readRecord } from './benchmark/record.ts';
import { concludeMeasured } from './control/conclude-measured.ts';
import { MachineControl } from './control/machine-control.ts';
import { checkBounds } from './limits/verdicts.ts';
import { recordedFile, reportText, writeDocuments } from './report/page.ts';

async function run(options: BenchmarkOptions, signal: AbortSignal): Promise<number> {
  const { fromFile, jsonFile, docs } = options;
  await assertWritable(jsonFile);
  const control = new MachineControl();
  const record =
    fromFile === undefined ? await measure(options, signal, control) : await recordFrom(fromFile);
  console.log(reportText(record));
  if (docs) {
    await writeDocuments(record).catch((error) => {
      const file = fromFile ?? jsonFile ?? recordedFile;
      console.error(`The page was not written. The figures are in ${file}, for --from.`);
      throw error;
    });
  }
  const checks = checkBounds(record);
  console.log(`\n${checks.length} bounds checked`);
  const complaints = checks.flatMap(({ complaint: text, timedPart }) => (text ? [{ text, timedPart }] : []));
  return concludeMeasured(complaints, control);
}

async function measure(
  options: BenchmarkOptions,
  signal: AbortSignal,
  control: MachineControl,
): Promise<BenchmarkRecord> {
  const { depth, parts, jsonFile } = options;
  const progressLine = new ProgressLine(process.stderr);
  const progress = (line: string) => progressLine.show(line);
  try {
    return await measureParts(parts, { depth, signal, progress, control }, await conditions(), (record) =>
      writeJson(jsonFile, record),
    );
  } finally {
    progressLine.end();
  }
}

async function recordFrom(file: string): Promise<BenchmarkRecord> {
  return await readRecord(file).catch((error) => {
    throw new RefusedOption(`--from: ${error.message}`);
  });
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
