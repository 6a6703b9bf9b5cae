import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { RefusedOption, writeJson } from '../../test/support/command.ts';
import type { BenchmarkRecord } from './record.ts';
import { recordSchema } from './record.ts';

/** @throws Error that tells what of the file is not as it must be */
export async function readRecord(file: string): Promise<BenchmarkRecord> {
  return checkedRecord(parsed(await readFile(file, 'utf8'), file), file);
}

/**
 * @throws RefusedOption if the file of `--from` cannot be read, or does not hold figures of this benchmark
 */
export async function recordFrom(file: string): Promise<BenchmarkRecord> {
  return await readRecord(file).catch((error) => {
    throw new RefusedOption(`--from: ${error.message}`);
  });
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} does not hold JSON`, { cause: error });
  }
}

/** @param source where the record comes from, for the error */
export function checkedRecord(record: unknown, source: string): BenchmarkRecord {
  const { success, data, error } = recordSchema.safeParse(record);
  if (success) return data;
  throw new Error(`${source} does not hold figures of this benchmark:\n${z.prettifyError(error)}`);
}

/** Keeps figures that took long to measure, and that nothing else keeps. */
export async function keepRecord(record: BenchmarkRecord): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'sagabox-benchmarks-')), 'benchmarks.json');
  await writeJson(file, record);
  return file;
}
