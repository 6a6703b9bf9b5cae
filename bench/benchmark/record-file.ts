import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { BenchmarkRecord } from './record.ts';
import { recordSchema } from './record-schema.ts';

/** @throws Error that tells what of the file is not as it must be */
export async function readRecord(file: string): Promise<BenchmarkRecord> {
  return checkedRecord(parsed(await readFile(file, 'utf8'), file), file);
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

export async function writeRecord(file: string, record: BenchmarkRecord): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`);
}
