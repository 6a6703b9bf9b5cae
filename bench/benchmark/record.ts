import { z } from 'zod';
import { type BenchmarkFigures, type Figures, figure, partSchemas } from './benchmark-figures.ts';

/** `memoryGB`: gigabytes of 1,024 megabytes. */
const machine = z.strictObject({ cpu: z.string(), cores: figure, memoryGB: figure, os: z.string() });

/**
 * The figures of one run, of the parts that it measured, and what they were measured on and with. A file of
 * figures may have been cut, or be of another version: nothing is made of one that has other keys, or
 * anything but numbers.
 */
export const recordSchema = z.strictObject({
  /** In UTC: 2026-01-31. */
  date: z.iso.date(),
  depth: z.enum(['short', 'full']),
  machine,
  /** By the name of the package, and `node`. */
  versions: z.record(z.string(), z.string()),
  cost: partSchemas.cost.exactOptional(),
  overhead: partSchemas.overhead.exactOptional(),
  bundle: partSchemas.bundle.exactOptional(),
  coldLoadMs: partSchemas.coldLoadMs.exactOptional(),
  throughput: partSchemas.throughput.exactOptional(),
  contention: partSchemas.contention.exactOptional(),
  growth: partSchemas.growth.exactOptional(),
});

export type Machine = Figures<typeof machine>;
export type BenchmarkRecord = Figures<typeof recordSchema>;
/** Of a run that measured all parts: what the page can be made of. */
export type CompleteRecord = BenchmarkRecord & BenchmarkFigures;
