import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { type Figures, figuresSchema } from './figures.ts';

const recordSchema = z.strictObject({
  /** In UTC: 2026-01-31. */
  date: z.iso.date(),
  depth: z.enum(['short', 'full']),
  /** `memoryGB`: gigabytes of 1,024 megabytes. */
  machine: z.strictObject({ cpu: z.string(), cores: z.number(), memoryGB: z.number(), os: z.string() }),
  /** By package, and of `node` and the DynamoDB engine. */
  versions: z.record(z.string(), z.string()),
  figures: figuresSchema,
});

/** The figures of one run, and what they were measured on and with. */
export type BenchmarkRecord = z.infer<typeof recordSchema>;
export type CompleteRecord = BenchmarkRecord & { readonly figures: Figures };

/** @throws Error that names what is wrong in the file: it may be cut, or of another version */
export async function readRecord(file: string): Promise<BenchmarkRecord> {
  const text = await readFile(file, 'utf8');
  try {
    return checkedRecord(JSON.parse(text), file);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(`${file} does not hold JSON`, { cause: error });
  }
}

/** @param source where the record comes from, for the error */
export function checkedRecord(record: unknown, source: string): BenchmarkRecord {
  const { success, data, error } = recordSchema.safeParse(record);
  if (success) return data;
  throw new Error(`${source} does not hold figures of this benchmark:\n${z.prettifyError(error)}`);
}
