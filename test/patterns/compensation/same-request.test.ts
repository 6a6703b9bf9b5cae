import { expect, it } from '@jest/globals';
import { isSameRequest } from '../../../lib/patterns/compensation/same-request.ts';

const request = { tripId: '7', seats: [{ row: 1, side: 'left' }, { row: 2 }], price: { cents: 5 } };
const bytes = (...values: number[]) => ({ data: new Uint8Array(values) });
const at = (time: number) => ({ at: new Date(time) });

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
  ['binary data', bytes(1, 2), bytes(1, 2), true],
  ['other binary data', bytes(1, 2), bytes(1, 3), false],
  ['a list for an object', { seats: [] }, { seats: {} }, false],
  ['another order of a set', { seats: new Set(['a', 'b']) }, { seats: new Set(['b', 'a']) }, true],
  ['another set', { seats: new Set(['a', 'b']) }, { seats: new Set(['a', 'c']) }, false],
  ['a map', { by: new Map([['a', { row: 1 }]]) }, { by: new Map([['a', { row: 1 }]]) }, true],
  ['another map', { by: new Map([['a', { row: 1 }]]) }, { by: new Map([['a', { row: 2 }]]) }, false],
  ['a time', at(5), at(5), true],
  ['another time', at(5), at(6), false],
  ['a large number', { cents: 12345678901234567890n }, { cents: 12345678901234567890n }, true],
  ['another large number', { cents: 12345678901234567890n }, { cents: 12345678901234567891n }, false],
  ['two texts', 'a', 'a', true],
  ['another text', 'a', 'b', false],
])('a request says the same as another one: %s', (_what, one, other, isSame) => {
  expect(isSameRequest(one, other)).toBe(isSame);
});
