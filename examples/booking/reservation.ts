import { UnrecoverableError } from 'sagabox';
import type { Behaviour } from './contracts.ts';

/** What a service knows of one trip. */
export interface Reservation {
  status: 'none' | 'booked' | 'cancelled';
  refusedCancellations: number;
}

export const noReservation = (): Reservation => ({ status: 'none', refusedCancellations: 0 });

/** @returns what the service answers; undefined if it does not */
export function book(reservation: Reservation, behaviour: Behaviour): 'booked' | 'declined' | undefined {
  if (behaviour === 'fails')
    throw new UnrecoverableError('The reservation system does not know this customer');
  // The cancellation of a booking that timed out may arrive before the booking itself.
  if (behaviour === 'declines' || reservation.status === 'cancelled') return 'declined';
  reservation.status = 'booked';
  return behaviour === 'does not answer' ? undefined : 'booked';
}

/** Of whatever there is: a booking that was declined, or never arrived, is cancelled too. */
export function cancel(reservation: Reservation, behaviour: Behaviour): 'cancelled' | 'notCancelled' {
  if (behaviour === 'does not cancel at first' && reservation.refusedCancellations === 0) {
    reservation.refusedCancellations += 1;
    return 'notCancelled';
  }
  reservation.status = 'cancelled';
  return 'cancelled';
}
