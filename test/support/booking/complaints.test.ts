import { expect, it } from '@jest/globals';
import { complaintsOf } from './complaints.ts';
import type { BookingOutcome } from './load.ts';

const tripId = '7';
const sent = ['BookFlight', 'BookHotel', 'CancelHotel', 'CancelFlight'].map((type, index) => {
  return { id: String(index), type, body: { tripId } };
});
const outcome: BookingOutcome = {
  settled: true,
  trips: [{ tripId, flight: 'books', hotel: 'does not answer', car: 'books' }],
  ends: [{ tripId, isBooked: false }],
  reservations: [{ tripId, status: 'cancelled' }],
  sent,
  killed: 0,
  waitedForOperator: [],
  redriven: [],
  sagasLeft: 0,
  noticesLeft: 0,
  deadLettered: 0,
  seconds: 1,
};
const notice = {
  id: 'notice',
  type: 'TripSagaCompensationFailed',
  body: { process: tripId, step: 'flight', attempt: 1 },
};
const again = (type: string) => ({ id: 'again', type, body: { tripId } });

it.each<[string, Partial<BookingOutcome>, string[]]>([
  ['nothing', {}, []],
  ['no end', { ends: [] }, ['7 ended 0 times']],
  ['two ends', { ends: [...outcome.ends, ...outcome.ends] }, ['7 ended 2 times']],
  [
    'what is left booked',
    { reservations: [{ tripId, status: 'booked' }] },
    ['7 has 1 reservations in place of 0'],
  ],
  [
    'a trip that is booked in part',
    { ends: [{ tripId, isBooked: true }] },
    ['7 has 0 reservations in place of 3'],
  ],
  ['a wrong order', { sent: sent.toReversed() }, ['7 took back CancelFlight, CancelHotel']],
  ['a second booking', { sent: [...sent, again('BookHotel')] }, ['7 sent BookHotel 2 times']],
  [
    'a second cancellation without a notice that was moved back',
    { sent: [...sent, notice, again('CancelFlight')] },
    ['7 sent CancelFlight 2 times after 0 notices'],
  ],
  [
    'no second cancellation after one',
    { sent: [...sent, notice, again('CancelFlight')], redriven: ['notice'] },
    [],
  ],
  ['what moves no more', { settled: false }, ['nothing moved any more']],
  ['what has not ended', { sagasLeft: 1, deadLettered: 2 }, ['1 trips have not', '2 messages are in']],
])('the check of bookings tells of %s', (_what, changes, complaints) => {
  const told = complaintsOf({ ...outcome, ...changes });
  expect(told).toEqual(complaints.map((complaint) => expect.stringContaining(complaint)));
});
