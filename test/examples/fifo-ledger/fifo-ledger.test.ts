import { expect, it } from '@jest/globals';
import { bookedBalances } from '../../../examples/fifo-ledger/bookings.ts';

it.each([1, 2, 3, 4, 5])('examples/fifo-ledger books in order, with deliveries in order %i', async (seed) => {
  expect(await bookedBalances(seed)).toEqual({ ann: 25, bob: 25 });
});
