import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchmarkRecord } from './record.ts';
import { readRecord, writeRecord } from './record-file.ts';

/** A file that was named on the command line, and is of no use: nothing is to be measured for it. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

/** @throws UnusableFile when it cannot be written to: to be known before what it is for is measured, which takes long */
export async function assertWritable(file: string): Promise<void> {
  try {
    // Opened to append: what it holds stays until there is something to put in its place.
    const handle = await open(file, 'a');
    await handle.close();
  } catch (error) {
    throw new UnusableFile(`--json: ${messageOf(error)}`);
  }
}

/** @throws UnusableFile when it cannot be read, or does not hold figures of this benchmark */
export async function recordFrom(file: string): Promise<BenchmarkRecord> {
  try {
    return await readRecord(file);
  } catch (error) {
    throw new UnusableFile(`--from: ${messageOf(error)}`);
  }
}

/** Keeps figures that took long to measure, and that nothing else keeps. */
export async function keepRecord(record: BenchmarkRecord): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sagabox-benchmarks-')), 'benchmarks.json');
  await writeRecord(file, record);
  return file;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
