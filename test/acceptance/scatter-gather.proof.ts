import { describe, expect, it } from '@jest/globals';
import { expectedSums } from '../support/gathering/definitions.ts';
import { runGathering } from '../support/gathering/load.ts';

const engines = {
  dynamoDBEndpoint: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '',
  sqsEndpoint: process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '',
  dynamoDBEngine: 'of the tests',
};

/** The full form, with 1,000 requests and 20 kills: npm run scatter-gather -- --kills 20 --duplicates 10. */
describe('a scatter-gather on engines', () => {
  it.each(['records', 'embedded'] as const)(
    'ends once, with every reply counted once, under kills and duplicates: %s',
    async (outbox) => {
      const requests = 40;
      const form = { width: 8, outbox, coalesce: true };
      const load = { ...form, requests, workers: 3, seed: 1, visibilityTimeoutSeconds: 1, atOnce: false };
      const outcome = await runGathering(engines, { ...load, kills: 3, duplicates: 0.3 });
      expect(outcome).toMatchObject({ sagasLeft: 0, deadLettered: 0 });
      expect(outcome.killed).toBeGreaterThan(0);
      expect(outcome.sentTwice).toBeGreaterThan(0);
      const result = expectedSums(requests);
      expect(outcome.results).toEqual([{ id: 'one', outcome: 'complete', requests, missing: [], result }]);
    },
  );
});
