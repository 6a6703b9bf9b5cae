import { createHandler, defineSaga } from 'sagabox';
import { hotels } from './contracts.ts';
import { book, cancel, noReservation } from './reservation.ts';

/** The service that books hotels: it keeps one reservation for each trip. */
export const hotelService = defineSaga({
  name: 'HotelReservation',
  messages: hotels.messages,
  replies: [hotels],
  correlate: { BookHotel: ({ tripId }) => tripId, CancelHotel: ({ tripId }) => tripId },
  startedBy: ['BookHotel', 'CancelHotel'],
  initialState: noReservation,
  handlers: {
    BookHotel({ body: { tripId, behaviour } }, { saga, reply }) {
      const answer = book(saga.state, behaviour);
      if (answer === 'booked') reply('HotelBooked', { tripId, reference: `hotel-${tripId}` });
      if (answer === 'declined') reply('HotelDeclined', { tripId });
    },
    CancelHotel({ body: { tripId, behaviour } }, { saga, reply }) {
      const answer = cancel(saga.state, behaviour);
      reply(answer === 'cancelled' ? 'HotelCancelled' : 'HotelNotCancelled', { tripId });
    },
  },
});

export const handler = createHandler(hotelService);
