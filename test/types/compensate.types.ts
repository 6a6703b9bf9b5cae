import { type CompensationState, compensate, defineContract } from 'sagabox';
import { testSaga } from 'sagabox/testing';
import { z } from 'zod';

/*
 * What is asserted here, `tsc -p .` checks: an unused `@ts-expect-error` is an error.
 */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_T extends true>(): void => {};

const trip = z.object({ tripId: z.string() });
const flights = defineContract(
  'flights',
  { BookFlight: trip.extend({ seats: z.number() }), CancelFlight: trip.extend({ reference: z.string() }) },
  {
    replies: {
      FlightBooked: trip.extend({ cents: z.string().transform(Number) }),
      FlightDeclined: trip,
      FlightCancelled: trip,
    },
  },
);
const hotels = defineContract(
  'hotels',
  { BookHotel: trip },
  { replies: { HotelBooked: trip.extend({ room: z.number() }), HotelDeclined: trip } },
);
const customers = defineContract('customers', { TellCustomer: trip });
const tripEvents = defineContract('trip-events', { TripBooked: trip, TripCancelled: trip });

interface Request {
  tripId: string;
  people: number;
}
interface Replies {
  readonly flight?: { readonly tripId: string; readonly cents: number | undefined };
  readonly hotel?: { readonly tripId: string; readonly room: number | undefined };
}

const timeout = { minutes: 5 };
const startedBy = { TripRequested: trip.extend({ people: z.string().transform(Number) }) };
const cancel = {
  command: 'CancelFlight',
  body: ({ request: { tripId } }: { request: Request }) => ({ tripId, reference: tripId }),
  completedBy: 'FlightCancelled',
  timeout,
} as const;
const flight = {
  to: flights,
  command: 'BookFlight',
  body: ({ request }: { request: Request }) => ({ tripId: request.tripId, seats: request.people }),
  completedBy: 'FlightBooked',
  timeout,
} as const;
const settings = { name: 'Trip', startedBy, correlate: ({ tripId }: { tripId: string }) => tripId };

export const tripSaga = compensate({
  name: 'Trip',
  startedBy,
  correlate(body) {
    // The replies to commands and to compensations are correlated too.
    assertType<Equal<Extract<typeof body, { cents: number }>, { tripId: string; cents: number }>>();
    assertType<Equal<Extract<typeof body, { room: number }>, { tripId: string; room: number }>>();
    assertType<Equal<Extract<typeof body, { people: number }>, Request>>();
    return body.tripId;
  },
  steps: {
    flight: {
      to: flights,
      command: 'BookFlight',
      body({ request, replies }) {
        assertType<Equal<typeof request, Request>>();
        assertType<Equal<typeof replies, Replies>>();
        // @ts-expect-error: there is no such step
        replies.car;
        return { tripId: request.tripId, seats: request.people };
      },
      completedBy: 'FlightBooked',
      declinedBy: 'FlightDeclined',
      timeout,
      compensation: {
        command: 'CancelFlight',
        body({ request, replies, reply }) {
          assertType<Equal<typeof request, Request>>();
          assertType<Equal<typeof replies, Replies>>();
          assertType<Equal<typeof reply, { tripId: string; cents: number } | undefined>>();
          return { tripId: request.tripId, reference: String(reply?.cents) };
        },
        completedBy: 'FlightCancelled',
        declinedBy: 'FlightDeclined',
        timeout,
      },
    },
    hotel: {
      to: hotels,
      command: 'BookHotel',
      body: ({ request: { tripId } }) => ({ tripId }),
      completedBy: 'HotelBooked',
      timeout,
    },
  },
  sends: [customers],
  publishes: [tripEvents],
  onCompleted({ request, replies }, { publish, send, ...others }) {
    assertType<Equal<typeof request, Request>>();
    assertType<Equal<typeof replies, Required<Replies>>>();
    assertType<Equal<typeof replies.flight.tripId, string>>();
    send('customers', 'TellCustomer', { tripId: request.tripId });
    // @ts-expect-error: an id is a string
    send('customers', 'TellCustomer', { tripId: 7 });
    // @ts-expect-error: the message at the end is from the process itself
    others.reply;
    // @ts-expect-error: the process ends
    others.requestTimeout;
    publish('TripBooked', { tripId: request.tripId });
    // @ts-expect-error: there is no such event
    publish('TripPaid', { tripId: request.tripId });
    // @ts-expect-error: an id is a string
    publish('TripBooked', { tripId: 7 });
    send('hotels', 'BookHotel', { tripId: request.tripId });
    // @ts-expect-error: no step is of cars
    send('cars', 'BookCar', { tripId: request.tripId });
  },
  onCompensated({ request, failure: { step, reason }, remaining }, { publish }) {
    type Remaining = { readonly step: 'flight' | 'hotel'; readonly status: 'completed' | 'timedOut' };
    const steps: readonly Remaining[] = remaining;
    void steps;
    assertType<Equal<typeof step, 'flight' | 'hotel'>>();
    assertType<Equal<typeof reason, 'declined' | 'timedOut'>>();
    publish('TripCancelled', { tripId: request.tripId });
  },
});

// @ts-expect-error: there is no such message
testSaga(tripSaga).deliver('TripRequestd', { tripId: '7', people: '2' });
testSaga(tripSaga).deliver('HotelBooked', { tripId: '7', room: 1 });
// @ts-expect-error: a room is a number
testSaga(tripSaga).deliver('HotelBooked', { tripId: '7', room: '1' });

type StateOf<Saga> = Saga extends { initialState: () => infer State } ? State : never;
export const assertState = (): void =>
  assertType<Equal<StateOf<typeof tripSaga>, CompensationState<Request, Replies, 'flight' | 'hotel'>>>();

compensate({ ...settings, steps: { flight: { ...flight, compensation: cancel } } });
// @ts-expect-error: it is a command of the contract
compensate({ ...settings, steps: { flight: { ...flight, command: 'BookHotel' } } });
// @ts-expect-error: a reply is no command
compensate({ ...settings, steps: { flight: { ...flight, command: 'FlightBooked' } } });
// @ts-expect-error: a body is that of its command
compensate({ ...settings, steps: { flight: { ...flight, body: () => ({ tripId: '7' }) } } });
// @ts-expect-error: seats are a number
compensate({ ...settings, steps: { flight: { ...flight, body: () => ({ tripId: '7', seats: '2' }) } } });
// @ts-expect-error: it is completed by a reply of its own contract
compensate({ ...settings, steps: { flight: { ...flight, completedBy: 'HotelBooked' } } });
// @ts-expect-error: a command is no reply
compensate({ ...settings, steps: { flight: { ...flight, completedBy: 'BookFlight' } } });
// @ts-expect-error: it is declined by a reply of its own contract
compensate({ ...settings, steps: { flight: { ...flight, declinedBy: 'HotelDeclined' } } });
// @ts-expect-error: a duration is no number
compensate({ ...settings, steps: { flight: { ...flight, timeout: 300 } } });
compensate({
  ...settings,
  // @ts-expect-error: it is a command of the step's contract
  steps: { flight: { ...flight, compensation: { ...cancel, command: 'BookHotel' } } },
});
compensate({
  ...settings,
  // @ts-expect-error: it is completed by a reply of the step's contract
  steps: { flight: { ...flight, compensation: { ...cancel, completedBy: 'HotelBooked' } } },
});
compensate({
  ...settings,
  // @ts-expect-error: a body is that of the compensation's command
  steps: { flight: { ...flight, compensation: { ...cancel, body: ({ request }) => request } } },
});
// @ts-expect-error: a correlation value is a string or a number
compensate({ ...settings, correlate: () => undefined, steps: { flight } });
