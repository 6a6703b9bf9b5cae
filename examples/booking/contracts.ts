import { defineContract } from 'sagabox';
import * as v from 'valibot';

/** What a service does, so that you can see each way in which a step can end. */
const behaviour = v.picklist(['books', 'declines', 'does not answer', 'fails', 'does not cancel at first']);
export type Behaviour = v.InferOutput<typeof behaviour>;

const trip = v.object({ tripId: v.string() });
const booking = v.object({ tripId: v.string(), behaviour });
const booked = v.object({ tripId: v.string(), reference: v.string() });

export const trips = defineContract('trips', {
  TripRequested: v.object({ tripId: v.string(), flight: behaviour, hotel: behaviour, car: behaviour }),
});

/** What became of a trip. */
export const tripEvents = defineContract('trip-events', {
  TripBooked: v.object({ tripId: v.string(), references: v.array(v.string()) }),
  TripCancelled: v.object({ tripId: v.string(), because: v.string() }),
});

export const flights = defineContract(
  'flights',
  { BookFlight: booking, CancelFlight: booking },
  {
    replies: {
      FlightBooked: booked,
      FlightDeclined: trip,
      FlightCancelled: trip,
      FlightNotCancelled: trip,
    },
  },
);

export const hotels = defineContract(
  'hotels',
  { BookHotel: booking, CancelHotel: booking },
  { replies: { HotelBooked: booked, HotelDeclined: trip, HotelCancelled: trip, HotelNotCancelled: trip } },
);

export const cars = defineContract(
  'cars',
  { BookCar: booking, CancelCar: booking },
  { replies: { CarBooked: booked, CarDeclined: trip, CarCancelled: trip, CarNotCancelled: trip } },
);
