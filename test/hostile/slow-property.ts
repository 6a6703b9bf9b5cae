import fc from 'fast-check';
import { holdsForAll } from './fuzz.ts';
import { processorMs } from './processor-time.ts';

/**
 * A program: checks a property of a case that blocks its thread, as a long or endless loop does, for so many
 * milliseconds of the processor.
 */
const blockedMs = Number(process.argv[2]);

await holdsForAll(fc.constant(0), 1, () => {
  const startedAt = processorMs();
  while (processorMs() - startedAt < blockedMs);
});
