import { expect, it } from '@jest/globals';
import { isSameRequest } from '../../../lib/patterns/compensation/same-request.ts';

const request = { tripId: '7', seats: [{ row: 1, side: 'left' }, { row: 2 }], price: { cents: 5 } };

it.each<[string, unknown, unknown, boolean]>([
  ['a copy', request, structuredClone(request), true],
  [
    'another order of properties, at each level',
    request,
    { price: { cents: 5 }, seats: [{ side: 'left', row: 1 }, { row: 2 }], tripId: '7' },
    true,
  ],
  ['a property that is undefined', request, { ...request, note: undefined }, true],
  ['a property more', request, { ...request, note: null }, false],
  ['another value deep in it', request, { ...request, price: { cents: 6 } }, false],
  ['another order of a list', request, { ...request, seats: request.seats.toReversed() }, false],
  ['a number for its text', { tripId: 7 }, { tripId: '7' }, false],
  ['binary data', { data: new Uint8Array([1, 2]) }, { data: new Uint8Array([1, 2]) }, true],
  ['other binary data', { data: new Uint8Array([1, 2]) }, { data: new Uint8Array([1, 3]) }, false],
  ['a list for an object', { seats: [] }, { seats: {} }, false],
  ['what no state can hold', request, { ...request, at: new Date(0) }, false],
  ['two texts', 'a', 'a', true],
  ['another text', 'a', 'b', false],
])('a request is compared as the state holds it: %s', (_what, one, other, isSame) => {
  expect(isSameRequest(one, other)).toBe(isSame);
});
