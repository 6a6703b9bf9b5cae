/**
 * Entry of `npm run bench`: what sagabox costs and how fast it is, beside what would be used in its place.
 */
import { assertWritable, conclude, runCommand, writeJson } from '../test/support/command.ts';
import { ProgressLine } from '../test/support/progress-line.ts';
import { conditions } from './benchmark/conditions.ts';
import { measureParts } from './benchmark/measure-parts.ts';
import { type BenchmarkOptions, readCommand, usage } from './benchmark/options.ts';
import type { BenchmarkRecord } from './benchmark/record.ts';
import { keepRecord, recordFrom } from './benchmark/record-file.ts';
import { checkBounds } from './limits/check-bounds.ts';
import { writeDocuments } from './report/docs.ts';
import { reportText } from './report/text.ts';

async function run(options: BenchmarkOptions, signal: AbortSignal): Promise<number> {
  const { fromFile, jsonFile } = options;
  await assertWritable(jsonFile);
  const record = fromFile === undefined ? await measure(options, signal) : await recordFrom(fromFile);
  console.log(reportText(record));
  if (options.docs) await document(record, options);
  const checks = checkBounds(record);
  console.log(`\n${checks.length} bounds checked`);
  return conclude(checks.flatMap(({ complaint }) => complaint ?? []));
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
    return await measureParts(parts, { depth, signal, progress }, await conditions(), (record) =>
      writeJson(jsonFile, record),
    );
  } finally {
    progressLine.end();
  }
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);
