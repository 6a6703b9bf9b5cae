import fc from 'fast-check';
import { holdsForAll } from './fuzz.ts';

/**
 * A program: checks a property of a case that blocks its thread, as a long or endless loop does, for so many
 * milliseconds.
 */
const blockedMs = Number(process.argv[2]);

await holdsForAll(fc.constant(0), 1, () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
});
