import { expect, it } from '@jest/globals';
import { complaintsOf } from '../support/booking/complaints.ts';
import { runBookings } from '../support/booking/load.ts';

const engines = {
  dynamoDBEndpoint: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '',
  sqsEndpoint: process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '',
  dynamoDBEngine: 'of the tests',
};

/** With more trips and kills: npm run booking. */
it('trips end once, with all of it booked or nothing, though functions are killed', async () => {
  const load = { trips: 6, kills: 4, seed: 1, timeoutSeconds: 1 };
  const outcome = await runBookings(engines, load);
  expect(complaintsOf(outcome)).toEqual([]);
  expect(outcome.killed).toBe(load.kills);
  // A hotel that did not cancel at first.
  expect(outcome.waitedForOperator).toContain('trip-0');
  expect(outcome.redriven).not.toEqual([]);
});
