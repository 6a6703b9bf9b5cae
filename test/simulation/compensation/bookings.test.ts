import { expect, it } from '@jest/globals';
import { samples } from '../../support/samples.ts';
import { checkBooking } from './check-bookings.ts';

/** More with `SAGABOX_BOOKINGS=10000 npm test -- test/simulation/compensation`. */
const RUNS = Number(process.env.SAGABOX_BOOKINGS ?? samples(60));
const TIMEOUT_MS = 600_000;

it(
  'trips end once, with all of it booked or nothing, and take back in reverse',
  async () => {
    const ends = new Set<string>();
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const { end, problems } = await checkBooking(seed);
      expect({ seed, problems }).toEqual({ seed, problems: [] });
      ends.add(end);
    }
    expect([...ends].sort()).toEqual(['TripBooked', 'TripCancelled']);
  },
  TIMEOUT_MS,
);
