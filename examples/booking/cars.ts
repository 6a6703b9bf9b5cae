import { createHandler, defineSaga } from 'sagabox';
import { cars } from './contracts.ts';
import { book, cancel, noReservation } from './reservation.ts';

/** The service that books cars: it keeps one reservation for each trip. */
export const carService = defineSaga({
  name: 'CarReservation',
  messages: cars.messages,
  replies: [cars],
  correlate: { BookCar: ({ tripId }) => tripId, CancelCar: ({ tripId }) => tripId },
  startedBy: ['BookCar', 'CancelCar'],
  initialState: noReservation,
  handlers: {
    BookCar({ body: { tripId, behaviour } }, { saga, reply }) {
      const answer = book(saga.state, behaviour);
      if (answer === 'booked') reply('CarBooked', { tripId, reference: `car-${tripId}` });
      if (answer === 'declined') reply('CarDeclined', { tripId });
    },
    CancelCar({ body: { tripId, behaviour } }, { saga, reply }) {
      const answer = cancel(saga.state, behaviour);
      reply(answer === 'cancelled' ? 'CarCancelled' : 'CarNotCancelled', { tripId });
    },
  },
});

export const handler = createHandler(carService);
