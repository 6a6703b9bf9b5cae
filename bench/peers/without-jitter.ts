import type { BatchSystem } from '../../lib/middleware/sqs-batch.ts';

/** Jitter takes a random share of each delay, half of it on average; here it is half of it always: as long a delay, but the same for all. */
export const withoutJitter: BatchSystem = { random: () => 0.5 };
