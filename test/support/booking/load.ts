import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createHandler, createProducer } from 'sagabox';
import { carService } from '../../../examples/booking/cars.ts';
import { flightService } from '../../../examples/booking/flights.ts';
import { hotelService } from '../../../examples/booking/hotels.ts';
import { tripSaga } from '../../../examples/booking/trips.ts';
import { redrive } from '../../../lib/cli/redrive/redrive.ts';
import { settleAll } from '../../../lib/core/async/settle.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { commandIo } from '../command-io.ts';
import { work } from '../event-source.ts';
import { Kills } from '../kills.ts';
import { type Clients, withClients } from '../own-engines/clients.ts';
import type { Engines } from '../own-engines/engines.ts';
import {
  messagesWaiting,
  queueAttribute,
  type RedrivingQueue,
  withQueue,
  withRedrivingQueue,
} from '../own-engines/queues.ts';
import { withTable } from '../own-engines/tables.ts';
import { Random } from '../random.ts';
import { allItems, type Item } from '../raw-items.ts';
import { takeAll } from '../take-all.ts';
import { type SentMessage, SentMessages } from './sent-messages.ts';
import { type Trip, tripsOf } from './trips.ts';

export interface BookingLoad {
  readonly trips: number;
  /** How many functions are killed in the middle of their work. */
  readonly kills: number;
  readonly seed: number;
  /** In place of the minutes of the example; messages of a killed function come back after it, too. */
  readonly timeoutSeconds: number;
}

export interface BookingOutcome {
  readonly trips: readonly Trip[];
  /** What was published, each message once. */
  readonly ends: readonly { readonly tripId: string; readonly isBooked: boolean }[];
  readonly reservations: readonly { readonly tripId: string; readonly status: string }[];
  /** By all functions, each message once. */
  readonly sent: readonly SentMessage[];
  readonly killed: number;
  /** Trips whose state said that a compensation had failed. */
  readonly waitedForOperator: readonly string[];
  /** Ids of the notices that `sagabox redrive` moved back. */
  readonly redriven: readonly string[];
  readonly sagasLeft: number;
  readonly noticesLeft: number;
  readonly deadLettered: number;
  readonly seconds: number;
}

const handled = { trips: tripSaga, flights: flightService, hotels: hotelService, cars: carService } as const;
type EndpointName = keyof typeof handled;
const endpointNames = Object.keys(handled) as EndpointName[];
const maxReceiveCount = 100;
const functionTimeoutMs = 10_000;
const runTimeoutMs = 10 * 60_000;

interface Endpoint extends RedrivingQueue {
  readonly errorQueueUrl: string;
}

interface Endpoints {
  readonly tableName: string;
  readonly eventsUrl: string;
  readonly byName: Readonly<Record<EndpointName, Endpoint>>;
}

/** Trips on engines, by functions that may be killed, with an operator who moves notices back by `sagabox redrive`. */
export async function runBookings(
  engines: Engines,
  load: BookingLoad,
  interrupt: AbortSignal = new AbortController().signal,
): Promise<BookingOutcome> {
  return await withClients(engines, (clients) =>
    withEndpoints(clients, load.timeoutSeconds, async (endpoints) => {
      const run = new Run(engines, load, endpoints);
      const ended = new AbortController();
      const signal = AbortSignal.any([ended.signal, interrupt, AbortSignal.timeout(runTimeoutMs)]);
      const startedAt = performance.now();
      await run.request(clients);
      const outcome = Promise.withResolvers<void>();
      const operating = run.operate(clients, signal).then(outcome.resolve, outcome.reject);
      const working = run.work(signal).catch(outcome.reject);
      await outcome.promise.finally(() => ended.abort());
      await settleAll([operating, working]);
      return await run.outcome(clients, (performance.now() - startedAt) / 1000);
    }),
  );
}

class Run {
  readonly #engines: Engines;
  readonly #endpoints: Endpoints;
  readonly #trips: readonly Trip[];
  readonly #kills: Kills;
  readonly #sent: SentMessages;
  readonly #waited = new Set<string>();
  readonly #redriven = new Set<string>();

  constructor(engines: Engines, { trips, kills, seed, timeoutSeconds }: BookingLoad, endpoints: Endpoints) {
    const random = new Random(seed);
    this.#engines = engines;
    this.#endpoints = endpoints;
    this.#trips = tripsOf(trips, random);
    this.#kills = new Kills(kills, random);
    this.#sent = new SentMessages(timeoutSeconds);
  }

  async request({ sqsClient }: Clients): Promise<void> {
    const { queueUrl } = this.#endpoints.byName.trips;
    const producer = createProducer({ queueUrl, sqsClient });
    for (const trip of this.#trips) await producer.send('TripRequested', { ...trip });
  }

  /** Moves back what waits in the error queue of the trips, until all trips have ended and all queues are empty. */
  async operate(clients: Clients, signal: AbortSignal): Promise<void> {
    const { tableName, byName } = this.#endpoints;
    const { sqsClient } = clients;
    const from = byName.trips.errorQueueUrl;
    for (;;) {
      await delay(50, undefined, { signal });
      const trips = tripSagas(await allItems(clients.dynamoDBClient, tableName));
      for (const item of trips) if (statusOf(item) === 'compensationFailed') this.#waited.add(idOf(item));
      if ((await messagesWaiting(sqsClient, from)) > 0) {
        const result = await redrive(
          sqsClient,
          { from, code: ['CompensationFailed'], correlationId: this.#trips.map(({ tripId }) => tripId) },
          commandIo(signal).io,
          0,
        );
        const { messages } = result.json() as { messages: readonly { messageId: string }[] };
        for (const { messageId } of messages) this.#redriven.add(messageId);
        continue;
      }
      const queues = [...Object.values(byName).map(({ queueUrl }) => queueUrl), from];
      const counts = await Promise.all(queues.map((queueUrl) => messagesIn(sqsClient, queueUrl)));
      if (trips.length === 0 && counts.every((count) => count === 0)) return;
    }
  }

  /** One function of each service and two of the trips, each with the next one after it. */
  async work(signal: AbortSignal): Promise<void> {
    await settleAll(
      ['trips' as const, ...endpointNames].map(async (name) => {
        while (!signal.aborted)
          await withClients(this.#engines, (clients) => this.#function(name, clients, signal));
      }),
    );
  }

  async #function(name: EndpointName, clients: Clients, signal: AbortSignal): Promise<void> {
    const { dynamoDBClient, sqsClient } = clients;
    const { tableName, eventsUrl, byName } = this.#endpoints;
    const isKilled = this.#kills.hangOver([dynamoDBClient, sqsClient]);
    this.#sent.watch(sqsClient);
    const urls = Object.fromEntries(endpointNames.map((each) => [each, byName[each].queueUrl]));
    const queue = byName[name];
    const handler = createHandler(handled[name] as typeof tripSaga, {
      endpoint: name,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: { ...urls, events: eventsUrl },
      publishTo: 'events',
      throwOnFullBatchFailure: false,
      logger: silentLogger,
      errorQueueUrl: queue.errorQueueUrl,
      ...clients,
    });
    const polling = { batchSize: 10, waitTimeSeconds: 0, onIdle: () => delay(20) };
    await work({ sqsClient, queue, handler, functionTimeoutMs, ...polling }, signal).catch((error) => {
      if (!isKilled()) throw error;
    });
  }

  async outcome({ dynamoDBClient, sqsClient }: Clients, seconds: number): Promise<BookingOutcome> {
    const { tableName, eventsUrl, byName } = this.#endpoints;
    const items = await allItems(dynamoDBClient, tableName);
    const ends = (await takeAll(sqsClient, eventsUrl)) as { tripId: string; references?: unknown }[];
    const dead = await Promise.all(
      Object.values(byName).map((queue) => messagesWaiting(sqsClient, queue.deadLetterQueueUrl)),
    );
    return {
      trips: this.#trips,
      ends: ends.map(({ tripId, references }) => ({ tripId, isBooked: references !== undefined })),
      reservations: items
        .filter(({ PK, state }) => /^SAGA#\w+Reservation#/.test(PK?.S ?? '') && state !== undefined)
        .map((item) => ({ tripId: idOf(item), status: statusOf(item) })),
      sent: this.#sent.all(),
      killed: this.#kills.done,
      waitedForOperator: [...this.#waited],
      redriven: [...this.#redriven],
      sagasLeft: tripSagas(items).length,
      noticesLeft: await messagesIn(sqsClient, byName.trips.errorQueueUrl),
      deadLettered: dead.reduce((sum, count) => sum + count, 0),
      seconds,
    };
  }
}

const tripSagas = (items: readonly Item[]) =>
  items.filter(({ PK, state }) => PK?.S?.startsWith('SAGA#TripSaga#') && state !== undefined);
const idOf = ({ PK }: Item) => PK?.S?.split('#').at(-1) ?? '';
const statusOf = ({ state }: Item) => state?.M?.status?.S ?? '';

async function withEndpoints<T>(
  { dynamoDBClient, sqsClient }: Clients,
  visibilityTimeoutSeconds: number,
  use: (endpoints: Endpoints) => Promise<T>,
): Promise<T> {
  const tableName = `booking-${randomUUID()}`;
  const redriving = { visibilityTimeoutSeconds, maxReceiveCount };
  const withEndpoint = (name: EndpointName, next: (endpoint: Endpoint) => Promise<T>) =>
    withQueue(sqsClient, `${tableName}-${name}-errors`, {}, (errorQueueUrl) =>
      withRedrivingQueue(sqsClient, `${tableName}-${name}`, redriving, (queue) =>
        next({ ...queue, errorQueueUrl }),
      ),
    );
  return await withTable(dynamoDBClient, tableName, () =>
    withQueue(sqsClient, `${tableName}-events`, {}, (eventsUrl) =>
      withEndpoint('trips', (trips) =>
        withEndpoint('flights', (flights) =>
          withEndpoint('hotels', (hotels) =>
            withEndpoint('cars', (cars) =>
              use({ tableName, eventsUrl, byName: { trips, flights, hotels, cars } }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Also of those that are delayed, or at work. */
async function messagesIn(client: Clients['sqsClient'], queueUrl: string): Promise<number> {
  const names = [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesDelayed',
  ] as const;
  const counts = await Promise.all(names.map((name) => queueAttribute(client, queueUrl, name)));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
