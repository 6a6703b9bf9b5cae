import { describe, expect, it } from '@jest/globals';
import { testApp } from 'sagabox/testing';
import { carService } from '../../../examples/booking/cars.ts';
import type { Behaviour } from '../../../examples/booking/contracts.ts';
import { flightService } from '../../../examples/booking/flights.ts';
import { hotelService } from '../../../examples/booking/hotels.ts';
import { tripSaga } from '../../../examples/booking/trips.ts';
import { samples } from '../../support/samples.ts';

const tripId = '7';
const services = { flight: flightService, hotel: hotelService, car: carService };

function bookingApp(seed?: number) {
  return testApp(
    [
      { endpoint: 'trips', handles: tripSaga, publishTo: 'trip-events' },
      { endpoint: 'flights', handles: flightService },
      { endpoint: 'hotels', handles: hotelService },
      { endpoint: 'cars', handles: carService },
    ],
    { throwOnFailure: false, ...(seed !== undefined && { seed }) },
  );
}

const isPublished = ({ destination }: { destination: string }) => destination === 'trip-events';
const serviceNames = ['flights', 'hotels', 'cars'];

type App = ReturnType<typeof bookingApp>;
type Plan = Partial<Record<keyof typeof services, Behaviour>>;

function request(app: App, plan: Plan = {}) {
  const body = { tripId, flight: 'books', hotel: 'books', car: 'books', ...plan } as const;
  app.send('trips', 'TripRequested', body);
}

const reservations = (app: App) =>
  Object.entries(services).map(([name, service]) => [name, app.state(service, tripId)?.status]);
const published = (app: App) => app.endpoint('trips').outgoing.filter(isPublished);
const commands = (app: App) =>
  app
    .endpoint('trips')
    .outgoing.filter((message) => serviceNames.includes(message.destination))
    .map(({ type }) => type);

describe('a trip', () => {
  it('is booked when each service books', async () => {
    const app = bookingApp();
    request(app);
    await app.deliverAll();
    await app.advance({ seconds: 1 });
    expect(published(app).map(({ type, body }) => [type, body])).toEqual([
      ['TripBooked', { tripId, references: ['flight-7', 'hotel-7', 'car-7'] }],
    ]);
    expect(app.isCompleted(tripSaga, tripId)).toBe(true);
    expect(reservations(app)).toEqual([
      ['flight', 'booked'],
      ['hotel', 'booked'],
      ['car', 'booked'],
    ]);
    await app.advance({ hours: 1 });
    expect(commands(app)).toEqual(['BookFlight', 'BookHotel', 'BookCar']);
  });

  it.each<[Plan, string, string[]]>([
    [{ flight: 'declines' }, 'flight declined', ['BookFlight']],
    [{ hotel: 'declines' }, 'hotel declined', ['BookFlight', 'BookHotel', 'CancelFlight']],
    [
      { car: 'declines' },
      'car declined',
      ['BookFlight', 'BookHotel', 'BookCar', 'CancelHotel', 'CancelFlight'],
    ],
    [{ flight: 'does not answer' }, 'flight timedOut', ['BookFlight', 'CancelFlight']],
    [
      { car: 'does not answer' },
      'car timedOut',
      ['BookFlight', 'BookHotel', 'BookCar', 'CancelCar', 'CancelHotel', 'CancelFlight'],
    ],
    [{ hotel: 'fails' }, 'hotel timedOut', ['BookFlight', 'BookHotel', 'CancelHotel', 'CancelFlight']],
  ])('is cancelled, with nothing left booked: %j', async (plan, because, sent) => {
    const app = bookingApp();
    request(app, plan);
    await app.deliverAll();
    await app.advance({ minutes: 5 });
    await app.advance({ seconds: 1 });
    expect(published(app).map(({ type, body }) => [type, body])).toEqual([
      ['TripCancelled', { tripId, because }],
    ]);
    expect(commands(app)).toEqual(sent);
    expect(app.isCompleted(tripSaga, tripId)).toBe(true);
    expect(reservations(app).map(([, status]) => status)).not.toContain('booked');
    expect(app.endpoint('trips').errorQueue).toEqual([]);
  });

  it('waits where a cancellation is declined, says so, and goes on when an operator resumes it', async () => {
    const app = bookingApp();
    request(app, { hotel: 'does not cancel at first', car: 'declines' });
    await app.deliverAll();
    await app.advance({ seconds: 1 });
    expect(app.state(tripSaga, tripId)).toMatchObject({
      status: 'compensationFailed',
      failure: { step: 'car', reason: 'declined' },
      steps: {
        flight: { status: 'completed' },
        hotel: { status: 'compensationFailed', attempt: 1, reason: 'declined' },
        car: { status: 'declined' },
      },
    });
    expect(app.endpoint('trips').errorQueue).toMatchObject([
      { type: 'TripSagaCompensationFailed', failure: { code: 'CompensationFailed', receiveCount: 1 } },
    ]);

    // As SQS may: nobody has asked for it.
    app.redeliver('trips', { type: 'TripSagaCompensationFailed' });
    await app.advance({ minutes: 10 });
    expect(app.endpoint('trips').errorQueue).toHaveLength(2);
    expect(commands(app).slice(3)).toEqual(['CancelHotel']);

    // Both copies have one id: the second one changes nothing.
    expect(app.redrive('trips', { type: 'TripSagaCompensationFailed' })).toBe(2);
    await app.deliverAll();
    await app.advance({ seconds: 1 });
    expect(app.isCompleted(tripSaga, tripId)).toBe(true);
    expect(commands(app).slice(3)).toEqual(['CancelHotel', 'CancelHotel', 'CancelFlight']);
    expect(reservations(app).map(([, status]) => status)).not.toContain('booked');
    expect(app.endpoint('trips').errorQueue).toEqual([]);
  });

  it("goes on when the command is moved back from the service's error queue; the notice is moot then", async () => {
    const app = bookingApp();
    app.fail('flights', 'CancelFlight', { times: 5 });
    request(app, { hotel: 'declines' });
    await app.deliverAll();
    expect(app.endpoint('flights').errorQueue).toMatchObject([{ type: 'CancelFlight' }]);
    await app.advance({ minutes: 30 });
    expect(app.state(tripSaga, tripId)).toMatchObject({
      status: 'compensationFailed',
      steps: { flight: { status: 'compensationFailed', reason: 'timedOut' } },
    });
    app.redrive('flights');
    await app.deliverAll();
    await app.advance({ seconds: 1 });
    expect(app.isCompleted(tripSaga, tripId)).toBe(true);
    expect(published(app).map(({ type }) => type)).toEqual(['TripCancelled']);
    app.redrive('trips');
    await app.deliverAll();
    expect(app.endpoint('trips').errorQueue).toEqual([]);
    expect(commands(app)).toEqual(['BookFlight', 'BookHotel', 'CancelFlight']);
  });

  it('is the same in every order of deliveries, with duplicates', async () => {
    for (let seed = 1; seed <= samples(15); seed += 1) {
      const app = bookingApp(seed);
      request(app, { car: 'does not answer' });
      await app.deliverAll();
      app.redeliver('trips');
      app.redeliver('flights');
      await app.advance({ minutes: 5 });
      app.redeliver('trips');
      await app.deliverAll();
      await app.advance({ seconds: 1 });
      expect(commands(app)).toEqual([
        ...['BookFlight', 'BookHotel', 'BookCar'],
        ...['CancelCar', 'CancelHotel', 'CancelFlight'],
      ]);
      expect(published(app)).toHaveLength(1);
    }
  });
});
