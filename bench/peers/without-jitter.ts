import type { BatchSystem } from '../../lib/middleware/sqs-batch.ts';

/** Jitter takes a random share of each delay; here each is waited for as a whole, which is the same for all. */
export const withoutJitter: BatchSystem = { random: () => 1 };
