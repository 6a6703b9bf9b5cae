import { compensate, createHandler } from 'sagabox';
import { cars, flights, hotels, tripEvents, trips } from './contracts.ts';

const timeout = { minutes: 5 };

/** Books a flight, a hotel and a car: all three, or none of them. */
export const tripSaga = compensate({
  name: 'TripSaga',
  startedBy: trips.messages,
  correlate: ({ tripId }) => tripId,
  steps: {
    flight: {
      to: flights,
      command: 'BookFlight',
      body: ({ request }) => ({ tripId: request.tripId, behaviour: request.flight }),
      completedBy: 'FlightBooked',
      declinedBy: 'FlightDeclined',
      timeout,
      compensation: {
        command: 'CancelFlight',
        body: ({ request }) => ({ tripId: request.tripId, behaviour: request.flight }),
        completedBy: 'FlightCancelled',
        declinedBy: 'FlightNotCancelled',
        timeout,
      },
    },
    hotel: {
      to: hotels,
      command: 'BookHotel',
      body: ({ request }) => ({ tripId: request.tripId, behaviour: request.hotel }),
      completedBy: 'HotelBooked',
      declinedBy: 'HotelDeclined',
      timeout,
      compensation: {
        command: 'CancelHotel',
        body: ({ request }) => ({ tripId: request.tripId, behaviour: request.hotel }),
        completedBy: 'HotelCancelled',
        declinedBy: 'HotelNotCancelled',
        timeout,
      },
    },
    car: {
      to: cars,
      command: 'BookCar',
      body: ({ request }) => ({ tripId: request.tripId, behaviour: request.car }),
      completedBy: 'CarBooked',
      declinedBy: 'CarDeclined',
      timeout,
      compensation: {
        command: 'CancelCar',
        body: ({ request }) => ({ tripId: request.tripId, behaviour: request.car }),
        completedBy: 'CarCancelled',
        declinedBy: 'CarNotCancelled',
        timeout,
      },
    },
  },
  publishes: [tripEvents],
  onCompleted({ request, replies }, { publish }) {
    const references = Object.values(replies).map((reply) => (reply as { reference: string }).reference);
    publish('TripBooked', { tripId: request.tripId, references });
  },
  onCompensated({ request, failure }, { publish }) {
    publish('TripCancelled', { tripId: request.tripId, because: `${failure.step} ${failure.reason}` });
  },
});

export const handler = createHandler(tripSaga);
