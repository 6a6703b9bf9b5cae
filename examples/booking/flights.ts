import { createHandler, defineSaga } from 'sagabox';
import { flights } from './contracts.ts';
import { book, cancel, noReservation } from './reservation.ts';

/** The service that books flights: it keeps one reservation for each trip. */
export const flightService = defineSaga({
  name: 'FlightReservation',
  messages: flights.messages,
  replies: [flights],
  correlate: { BookFlight: ({ tripId }) => tripId, CancelFlight: ({ tripId }) => tripId },
  startedBy: ['BookFlight', 'CancelFlight'],
  initialState: noReservation,
  handlers: {
    BookFlight({ body: { tripId, behaviour } }, { saga, reply }) {
      const answer = book(saga.state, behaviour);
      if (answer === 'booked') reply('FlightBooked', { tripId, reference: `flight-${tripId}` });
      if (answer === 'declined') reply('FlightDeclined', { tripId });
    },
    CancelFlight({ body: { tripId, behaviour } }, { saga, reply }) {
      const answer = cancel(saga.state, behaviour);
      reply(answer === 'cancelled' ? 'FlightCancelled' : 'FlightNotCancelled', { tripId });
    },
  },
});

export const handler = createHandler(flightService);
