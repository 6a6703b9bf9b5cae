import { describe, expect, it } from '@jest/globals';
import { complaintsOf } from '../support/booking/complaints.ts';
import { runBookings } from '../support/booking/load.ts';
import { enginesOfTests } from '../support/engines.ts';

/** With more trips and kills: npm run booking. */
describe('I1, I2, I3: trips whose functions are killed', () => {
  it('end once, with all of it booked or nothing', async () => {
    const load = { trips: 6, kills: 4, seed: 1, timeoutSeconds: 1 };
    const outcome = await runBookings(enginesOfTests(), load);
    expect(complaintsOf(outcome)).toEqual([]);
    expect(outcome.killed).toBe(load.kills);
    // A hotel that did not cancel at first.
    expect(outcome.waitedForOperator).toContain('trip-0');
    expect(outcome.redriven).not.toEqual([]);
  });
});
