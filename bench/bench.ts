/** Entry of `npm run bench`: what sagabox costs and how fast it is, beside what would be used in its place. */
import { ProgressLine } from '../examples/order-fulfilment/progress-line.ts';
import { conditions } from './benchmark/conditions.ts';
import { assertWritable, keepRecord, recordFrom, UnusableFile } from './benchmark/files.ts';
import { measureParts } from './benchmark/measure-parts.ts';
import { type BenchmarkOptions, readCommand, usage } from './benchmark/options.ts';
import type { BenchmarkRecord } from './benchmark/record.ts';
import { writeRecord } from './benchmark/record-file.ts';
import { exitCodes, runCommand } from './command.ts';
import { checkBounds } from './limits/check-bounds.ts';
import { writeDocuments } from './report/docs.ts';
import { reportText } from './report/text.ts';

async function run(options: BenchmarkOptions, signal: AbortSignal): Promise<number> {
  try {
    if (options.jsonFile !== undefined) await assertWritable(options.jsonFile);
    const { fromFile } = options;
    const record = fromFile === undefined ? await measure(options, signal) : await recordFrom(fromFile);
    return await report(record, options);
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    console.error(error.message);
    return exitCodes.refused;
  }
}

async function report(record: BenchmarkRecord, options: BenchmarkOptions): Promise<number> {
  console.log(reportText(record));
  if (options.docs) await document(record, options);
  const checks = checkBounds(record);
  const complaints = checks.flatMap(({ complaint }) => complaint ?? []);
  const outcome = complaints.length === 0 ? 'OK' : `FAILED ${complaints.join('; ')}`;
  console.log(`\n${checks.length} bounds checked\n${outcome}`);
  return complaints.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Documents that cannot be made, since a reason is missing, take no measurement with them. */
async function document(record: BenchmarkRecord, { jsonFile, fromFile }: BenchmarkOptions): Promise<void> {
  try {
    await writeDocuments(record);
  } catch (error) {
    const file = fromFile ?? jsonFile ?? (await keepRecord(record));
    console.error(`No document was written. The figures are in ${file}, for --from.`);
    throw error;
  }
}

async function measure(options: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkRecord> {
  const { depth, parts, jsonFile } = options;
  const progressLine = new ProgressLine(process.stderr);
  const progress = (line: string) => progressLine.show(line);
  try {
    return await measureParts(parts, { depth, signal, progress }, await conditions(), async (record) => {
      if (jsonFile !== undefined) await writeRecord(jsonFile, record);
    });
  } finally {
    progressLine.end();
  }
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
