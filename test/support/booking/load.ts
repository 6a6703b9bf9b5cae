import { createHandler, createProducer } from 'sagabox';
import { carService } from '../../../examples/booking/cars.ts';
import { flightService } from '../../../examples/booking/flights.ts';
import { hotelService } from '../../../examples/booking/hotels.ts';
import { tripSaga } from '../../../examples/booking/trips.ts';
import { redrive } from '../../../lib/cli/redrive/redrive.ts';
import { type Endpoints, withEndpoints } from '../load-kill-verify/endpoints.ts';
import { Kills } from '../load-kill-verify/kills.ts';
import { mortalFunction } from '../load-kill-verify/mortal-function.ts';
import { runLoad } from '../load-kill-verify/run-load.ts';
import type { Look } from '../load-kill-verify/settle.ts';
import type { Engines } from '../own-engines/engines.ts';
import { messagesWaiting } from '../own-engines/queues.ts';
import { Random } from '../random.ts';
import { allItems, type Item } from '../raw-items.ts';
import { bodiesIn, messagesIn } from '../received-records.ts';
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
  /** False when nothing moved any more, before all had ended. */
  readonly settled: boolean;
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
const names = Object.keys(handled) as EndpointName[];

/** Trips on engines, by functions that may be killed, with an operator who moves notices back by `sagabox redrive`. */
export async function runBookings(
  engines: Engines,
  { timeoutSeconds, seed, ...load }: BookingLoad,
  interrupt: AbortSignal = new AbortController().signal,
): Promise<BookingOutcome> {
  const queues = { names, farEnd: 'events', visibilityTimeoutSeconds: timeoutSeconds };
  return await withEndpoints(engines, { prefix: 'booking', ...queues }, async (endpoints) => {
    const random = new Random(seed);
    const trips = tripsOf(load.trips, random);
    const kills = new Kills(load.kills, random);
    const sent = new SentMessages(timeoutSeconds);
    const operator = operatorOf(endpoints, interrupt);
    // One function of each service and two of the trips.
    const companions = ['trips' as const, ...names].map((name) =>
      mortalFunction(endpoints, kills, name, (options, { sqsClient }) => {
        sent.watch(sqsClient);
        const { errorQueueUrl } = endpoints.byName[name];
        const own = { publishTo: 'events', errorQueueUrl };
        return createHandler(handled[name] as typeof tripSaga, { ...options, ...own });
      }),
    );
    const { sqsClient } = endpoints.clients;
    const producer = createProducer({ queueUrl: endpoints.byName.trips.queueUrl, sqsClient });
    const send = async () => {
      for (const trip of trips) await producer.send('TripRequested', { ...trip });
    };
    const startedAt = performance.now();
    const settled = await runLoad({ send, companions, look: operator.look, tickMs: 50 }, interrupt);
    const seconds = (performance.now() - startedAt) / 1000;
    const waitedForOperator = [...operator.waited];
    const redriven = [...operator.redriven];
    const left = await leftBehind(endpoints);
    return {
      settled,
      trips,
      sent: sent.all(),
      killed: kills.done,
      waitedForOperator,
      redriven,
      ...left,
      seconds,
    };
  });
}

/** Who looks after the trips, and moves back what waits in their error queue. */
function operatorOf(
  { clients: { dynamoDBClient, sqsClient }, tableName, byName }: Endpoints<EndpointName>,
  signal: AbortSignal,
) {
  const [waited, redriven] = [new Set<string>(), new Set<string>()];
  const { errorQueueUrl: from, queueUrl: to } = byName.trips;
  const queues = [...names.map((name) => byName[name].queueUrl), from];
  const what = { from, to, code: ['CompensationFailed'] };
  const io = { out: () => {}, err: () => {}, signal };
  /** Settled are trips that have ended, with all queues empty. */
  const look = async (): Promise<Look> => {
    const sagas = tripSagas(await allItems(dynamoDBClient, tableName));
    for (const item of sagas) if (statusOf(item) === 'compensationFailed') waited.add(idOf(item));
    if (waited.size > 0 && (await messagesWaiting(sqsClient, from)) > 0) {
      // Only of trips that were seen to wait: one that fails between the two calls is seen by the next look.
      const result = await redrive(sqsClient, { ...what, correlationId: [...waited] }, io, 0);
      const { messages } = result.json() as { messages: readonly { messageId: string }[] };
      for (const { messageId } of messages) redriven.add(messageId);
    }
    const messages = await messagesIn(sqsClient, queues);
    const progress = [sagas.length, messages, redriven.size].join();
    return { isSettled: sagas.length + messages === 0, progress };
  };
  return { waited, redriven, look };
}

async function leftBehind({ clients, tableName, byName, farEndUrl }: Endpoints<EndpointName>) {
  const { dynamoDBClient, sqsClient } = clients;
  const items = await allItems(dynamoDBClient, tableName);
  const ends = (await bodiesIn(sqsClient, farEndUrl)) as { tripId: string; references?: unknown }[];
  const deadLetterQueues = names.map((name) => byName[name].deadLetterQueueUrl);
  return {
    ends: ends.map(({ tripId, references }) => ({ tripId, isBooked: references !== undefined })),
    reservations: items
      .filter(({ PK, state }) => /^SAGA#\w+Reservation#/.test(PK?.S ?? '') && state !== undefined)
      .map((item) => ({ tripId: idOf(item), status: statusOf(item) })),
    sagasLeft: tripSagas(items).length,
    noticesLeft: await messagesIn(sqsClient, [byName.trips.errorQueueUrl]),
    deadLettered: await messagesIn(sqsClient, deadLetterQueues),
  };
}

const tripSagas = (items: readonly Item[]) =>
  items.filter(({ PK, state }) => PK?.S?.startsWith('SAGA#TripSaga#') && state !== undefined);
const idOf = ({ PK }: Item) => PK?.S?.split('#').at(-1) ?? '';
const statusOf = ({ state }: Item) => state?.M?.status?.S ?? '';
