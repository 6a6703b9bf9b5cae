import { describe, expect, it } from '@jest/globals';
import { enginesOfTests } from '../support/engines.ts';
import { complaintsOf } from '../support/gathering/complaints.ts';
import { runGathering } from '../support/gathering/load.ts';

/** The full form, with 1,000 requests and 20 kills: npm run scatter-gather -- --kills 20 --duplicates 10. */
describe('I2, I3: a scatter-gather whose functions are killed', () => {
  it.each(['records', 'embedded'] as const)(
    "ends once, with every reply counted once, with outbox '%s'",
    async (outbox) => {
      const requests = 40;
      const form = { width: 8, outbox, coalesce: true };
      const load = { ...form, requests, workers: 3, seed: 1, visibilityTimeoutSeconds: 1, atOnce: false };
      const outcome = await runGathering(enginesOfTests(), { ...load, kills: 3, duplicates: 0.3 });
      expect(complaintsOf(requests, outcome)).toEqual([]);
      expect(outcome.killed).toBeGreaterThan(0);
      expect(outcome.sentTwice).toBeGreaterThan(0);
    },
  );
});
