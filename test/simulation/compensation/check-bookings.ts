import { carService } from '../../../examples/booking/cars.ts';
import type { Behaviour } from '../../../examples/booking/contracts.ts';
import { flightService } from '../../../examples/booking/flights.ts';
import { hotelService } from '../../../examples/booking/hotels.ts';
import { tripSaga } from '../../../examples/booking/trips.ts';
import { testApp } from '../../../lib/testing/index.ts';
import { Random } from '../../support/random.ts';

const behaviours: readonly Behaviour[] = [
  ...(['books', 'books', 'declines', 'does not answer', 'fails'] as const),
  'does not cancel at first',
];
const services = { flights: flightService, hotels: hotelService, cars: carService } as const;
const names = ['flights', 'hotels', 'cars'] as const;
const tripId = '7';
const notice = 'TripSagaCompensationFailed';
/** For each message. Its copies are copied too: without a limit, they double until nothing else is delivered. */
const maxRedeliveries = 3;
const capitalized = (step: string) => `${step.charAt(0).toUpperCase()}${step.slice(1)}`;

/**
 * Runs one trip, with deliveries side by side in an order of the seed, copies of messages, handlers that throw, and an
 * operator who moves failed messages back.
 *
 * @returns how it ended, and what is wrong with that
 */
export async function checkBooking(seed: number): Promise<{ end: string; problems: readonly string[] }> {
  const random = new Random(seed);
  const behaviour = () => behaviours[random.below(behaviours.length)] ?? 'books';
  const app = testApp(
    [
      { endpoint: 'trips', handles: tripSaga, publishTo: 'trip-events' },
      { endpoint: 'flights', handles: flightService },
      { endpoint: 'hotels', handles: hotelService },
      { endpoint: 'cars', handles: carService },
    ],
    { seed, throwOnFailure: false },
  );
  const movedBack: string[] = [];
  const redrive = (queue: 'trips' | (typeof names)[number]) => {
    const waiting = app.endpoint(queue).errorQueue.filter(({ type }) => type === notice);
    movedBack.push(...waiting.map(({ body }) => `Cancel${capitalized(JSON.parse(body).step)}`));
    app.redrive(queue);
  };
  /** How often each message to the trips was delivered again. */
  const redeliveries = new Map<string, number>();
  const deliver = async (delivering: ReturnType<typeof app.deliverAll>) => {
    for (const { endpoint, messageId, outcome } of await delivering) {
      const isOver = outcome !== 'returned';
      if (endpoint === 'trips' && isOver && !redeliveries.has(messageId)) redeliveries.set(messageId, 0);
    }
  };
  const redeliver = () => {
    for (const [id, times] of redeliveries) {
      if (times === maxRedeliveries) continue;
      redeliveries.set(id, times + 1);
      app.redeliver('trips', { id });
    }
  };
  const isToFail = () => random.below(4) === 0;
  const times = () => 1 + random.below(6);
  if (isToFail()) app.fail('flights', 'CancelFlight', { times: times() });
  if (isToFail()) app.fail('hotels', 'BookHotel', { times: times() });
  if (isToFail()) app.fail('trips', 'FlightBooked', { times: times() });
  const body = { tripId, flight: behaviour(), hotel: behaviour(), car: behaviour() };
  app.send('trips', 'TripRequested', body);
  await deliver(app.deliverAll());
  for (let round = 0; round < 12 && !app.isCompleted(tripSaga, tripId); round += 1) {
    if (random.below(2) === 0) redeliver();
    await deliver(app.advance({ minutes: 1 + random.below(6) }));
    const queue = (['trips', ...names] as const)[random.below(4)];
    if (queue !== undefined && random.below(2) === 0) redrive(queue);
    await deliver(app.deliverAll());
  }
  // At the end an operator moves back whatever is left, until nothing changes any more.
  for (let round = 0; round < 8; round += 1) {
    await app.advance({ minutes: 10 });
    for (const name of ['trips', ...names] as const) redrive(name);
    await app.deliverAll();
  }

  // One that is dispatched again has the same id: its receiver drops it.
  const sent = [...new Map(app.endpoint('trips').outgoing.map((message) => [message.id, message])).values()];
  const ends = sent.filter(({ destination }) => destination === 'trip-events').map(({ type }) => type);
  const booked = names.filter((name) => app.state(services[name], tripId)?.status === 'booked');
  const commands = sent.map(({ type }) => type).filter((type) => type.startsWith('Book'));
  const cancels = sent.map(({ type }) => type).filter((type) => type.startsWith('Cancel'));
  const first = [...new Set(cancels)];
  const count = (types: readonly string[], type: string) => types.filter((each) => each === type).length;
  // An operator asks for each further one.
  const unasked = first.filter((type) => count(cancels, type) > 1 + count(movedBack, type));
  const inReverse = ['CancelCar', 'CancelHotel', 'CancelFlight'].filter((type) => first.includes(type));
  const left = ends[0] === 'TripBooked' ? names.length : 0;
  const problems = [
    ends.length !== 1 && `it ended ${ends.length} times`,
    booked.length !== left && `${booked.join(', ') || 'nothing'} is booked after ${ends[0]}`,
    new Set(commands).size !== commands.length && `a command was sent twice: ${commands.join(', ')}`,
    unasked.length > 0 && `it took back again unasked: ${unasked.join(', ')}`,
    first.join() !== inReverse.join() && `it took back ${first.join(', ')}`,
    !app.isCompleted(tripSaga, tripId) && 'it does not end',
  ].filter((problem) => typeof problem === 'string');
  return { end: ends.join(), problems };
}
